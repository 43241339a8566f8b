/** Ways of writing the same statements: other names, other layout, macros, braces and helper functions around calls. */

import fc from 'fast-check';
import type { Statement, Writing } from './listing.ts';

interface Wrapping {
  readonly definitions: string;
  readonly wrap: (text: string, statement: Statement) => string;
  readonly head?: string;
  readonly tail?: string;
}

type Rename = (name: string) => string;

/** The names that the listings make up; everything else is CUDA's or C++'s. */
const names = /\b(?:[ndakm]?g\d+(?:n\d+)?|[bsex]\d+(?:params)?|host)\b/g;

const renamings: readonly Rename[] = [
  (name) => name,
  (name) => `my_${name}_`,
  (name) => name.toUpperCase(),
  (name) => `${name}Of`,
];

const asWritten: Wrapping = { definitions: '', wrap: (text) => `${text};` };

const checkMacro: Wrapping = {
  definitions: '#define CHECK(call) do { cudaError_t status = (call); if (status) __builtin_trap(); } while (0)\n',
  wrap: (text, { isCall }) => (isCall ? `CHECK(${text});` : `${text};`),
};

const macroOfMacros: Wrapping = {
  definitions: `#define OK(call) if ((call) != cudaSuccess) return 1
#define FREE(pointer, stream) OK(cudaFreeAsync(pointer, stream))
#define RUN(kernel, stream, ...) kernel<<<1, 1, 0, stream>>>(__VA_ARGS__)
`,
  wrap: (text, { isCall }) => {
    if (text.startsWith('cudaFreeAsync(')) return `${text.replace('cudaFreeAsync(', 'FREE(')};`;
    if (isCall) return `OK(${text});`;
    return `${text.replace(/^(\w+)<<<1, 1, 0, (\w+)>>>\((.*)\)$/, 'RUN($1, $2, $3)')};`;
  },
};

const checkFunction: Wrapping = {
  definitions: 'static void check(cudaError_t status) { if (status != cudaSuccess) throw status; }\n',
  wrap: (text, { isCall }) => (isCall ? `check(${text});` : `${text};`),
};

const helpers: Wrapping = {
  definitions: `static void release(float *pointer, cudaStream_t stream) { cudaFreeAsync(pointer, stream); }
static cudaError_t obtain(float **pointer, size_t bytes, cudaStream_t stream) { return cudaMallocAsync(pointer, bytes, stream); }
static void mark(cudaEvent_t event, cudaStream_t stream) { cudaEventRecord(event, stream); }
static void follow(cudaStream_t stream, cudaEvent_t event, unsigned flags) { cudaStreamWaitEvent(stream, event, flags); }
static void start(cudaGraphExec_t executable, cudaStream_t stream) { cudaGraphLaunch(executable, stream); }
static void finish(cudaStream_t stream) { cudaStreamSynchronize(stream); }
`,
  wrap: (text) =>
    `${text
      .replace(/^cudaFreeAsync\(/, 'release(')
      .replace(/^cudaMallocAsync\(/, 'obtain(')
      .replace(/^cudaEventRecord\(/, 'mark(')
      .replace(/^cudaStreamWaitEvent\(/, 'follow(')
      .replace(/^cudaGraphLaunch\(/, 'start(')
      .replace(/^cudaStreamSynchronize\(/, 'finish(')};`,
};

const ownFunction: Wrapping = {
  ...asWritten,
  head: 'static void everything() {',
  tail: '\n}\nint main() { everything(); }\n',
};

const braces: Wrapping = {
  definitions: '',
  wrap: (text, { id }) => (id === null ? `${text};` : `{ ${text}; }`),
};

const comments: Wrapping = {
  definitions: '/* cudaFreeAsync(b1, s0); */\n',
  wrap: (text) => `/* { */ ${text}; // }`,
};

const wrappings: readonly Wrapping[] = [
  asWritten,
  checkMacro,
  macroOfMacros,
  checkFunction,
  helpers,
  ownFunction,
  braces,
  comments,
];

/** What may stand between two tokens. */
const blanks = ['', ' ', '\n', '\t', '\r\n', '  \n\n    ', ' /* cudaFree(b1); */ ', ' // } and then\n', '/**/'];

/** A statement's tokens with these blanks between them; two words never grow together. */
function laidOut(text: string, noise: readonly number[]): string {
  const tokens = text.match(/\w[\w.]*|<<<|>>>|->|\/\/[^\n]*|\/\*.*?\*\/|\S/g) ?? [];
  return tokens
    .map((token, index) => {
      if (token.startsWith('//')) return `${token}\n`;
      const blank = blanks[(noise[index % noise.length] ?? 0) % blanks.length] ?? '';
      const isWord = /\w$/.test(token) && /^\w/.test(tokens[index + 1] ?? '');
      return `${token}${blank === '' && isWord ? ' ' : blank}`;
    })
    .join('');
}

/** One of the ways, with random layout or as it comes. */
export const writings: fc.Arbitrary<Writing> = fc
  .record({
    wrapping: fc.constantFrom(...wrappings),
    rename: fc.constantFrom(...renamings),
    noise: fc.option(fc.array(fc.nat({ max: blanks.length - 1 }), { minLength: 1, maxLength: 9 })),
    separator: fc.constantFrom('\n  ', '\n', ' ', '\n\n    ', '\r\n', '\n  // a remark\n  '),
  })
  .map(({ wrapping, rename, noise, separator }): Writing => {
    const written = (statement: Statement): string =>
      wrapping.wrap(
        statement.text.replace(names, (name) => rename(name)),
        statement,
      );
    return {
      definitions: wrapping.definitions,
      statement: (statement) => (noise === null ? written(statement) : laidOut(written(statement), noise)),
      // A remark at the end of a line ends with it.
      separator: wrapping === comments && !separator.includes('\n') ? '\n' : separator,
      head: wrapping.head ?? 'int main() {',
      tail: wrapping.tail ?? '\n}\n',
    };
  });
