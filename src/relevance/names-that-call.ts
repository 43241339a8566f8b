/**
 * The functions, classes and macros of a header in which CUDA is called, by their plain names, told by braces and words alone: what
 * this says too much costs the time of an analysis that finds nothing.
 */

/** Comments, texts, directives with their continued lines, and the signs and words that matter. */
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|^[ \t]*#(?:[^\n\\]|\\[\s\S])*|<<<|::|[{};:(<>]|[A-Za-z_]\w*/gm;

/** A call that makes, uses or frees what we follow; a header that only names types asks nothing of CUDA. */
const cudaCall = /^(?:cuda(?:Graph|Stream|Malloc|Free|Mem|Launch|Event)|cu(?:Graph|Stream|Mem|Launch|Event)[A-Z])\w*$/;
/** One that is only named: a macro, a template or a function is given it to call it, as `CALL(cudaFree, p)`, `call<cudaFree>(p)`. */
const handedOn =
  /^cuda\w*(?:Malloc(?:Async|Host|Managed|FromPoolAsync)?|Free(?:Async|Host)?|Create(?:WithFlags)?|Destroy|Instantiate(?:WithFlags)?|Launch(?:Kernel)?|Upload|Add\w+Node|AddNode|AddDependencies|Record|WaitEvent|Synchronize|BeginCapture|EndCapture|Memcpy(?:Async)?|Memset(?:Async)?)$/;
const openParenthesis = /\s*\(/y;
const endOfArgument = /\s*[,>)]/y;
const words = /[A-Za-z_]\w*|<<</g;
const keywords = new Set(['final', 'using', 'typedef', 'static', 'extern', 'const', 'inline', 'constexpr']);

/** Whether a word of `text` is one of `names`. */
export function mentions(text: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  for (const [word] of text.matchAll(words)) if (names.has(word)) return true;
  return false;
}

/** Adds to `names`, which has those of the headers that this one includes: what calls them calls CUDA, too. */
export function addNamesThatCall(header: string, names: Set<string>): void {
  const isCall = (word: string, end: number, text: string): boolean => {
    if (word === '<<<' || names.has(word)) return true;
    if (!cudaCall.test(word)) return false;
    openParenthesis.lastIndex = end;
    endOfArgument.lastIndex = end;
    return openParenthesis.test(text) || (handedOn.test(word) && endOfArgument.test(text));
  };
  /** Of each brace that is open, what it belongs to; null for namespaces. */
  const open: (string | null)[] = [];
  let owner: string | null = null;
  let head: string[] = [];
  let headCalls = false;
  /** The head stands behind a class in which CUDA is called: `struct { … } begin{};`. */
  let namesObjects = false;
  let isOfClass = false;
  const beginHead = (): void => {
    head = [];
    headCalls = false;
    namesObjects = false;
  };
  for (const match of header.matchAll(token)) {
    const [word] = match;
    const first = word[0] ?? '';
    if (namesObjects && head.length <= 1 && (word === '{' || word === ';')) for (const each of head) names.add(each);
    if (word === '{') {
      if (owner === null && !head.includes('namespace') && !(head[0] === 'extern' && head.length === 1)) {
        owner = nameOfHead(head);
        isOfClass = head.some((each) => /^(?:class|struct|union)$/.test(each)) && !head.includes('(');
        if (headCalls && owner !== '') names.add(owner);
        open.push(owner);
      } else open.push(null);
      beginHead();
    } else if (word === '}') {
      const closed = open.pop() ?? null;
      if (closed !== null) owner = null;
      beginHead();
      namesObjects = closed !== null && isOfClass && names.has(closed);
    } else if (word === ';') {
      const last = head.findLast((each) => isName(each));
      if (owner === null && headCalls && !head.includes('(')) names.add((head[0] === 'using' ? head[1] : last) ?? '');
      beginHead();
    } else if (/^[ \t]*#/.test(word)) {
      const [, name, body] = /^[ \t]*#[ \t]*define[ \t]+(\w+)([\s\S]*)/.exec(word) ?? [];
      if (name === undefined || body === undefined) continue;
      const inBody = [...body.matchAll(words)].some((each) => isCall(each[0], each.index + each[0].length, body));
      // `cuda##name(…)`: it is told what to call.
      if (inBody || /\bcu(?:da)?\s*##/.test(body)) names.add(name);
    } else if (first === '/' || first === '"' || first === "'") {
      // Nothing is called in a comment or a text.
    } else {
      const calls = (word === '<<<' || isName(word)) && isCall(word, match.index + word.length, header);
      if (owner === null) head.push(word);
      if (!calls) continue;
      if (owner === null) headCalls = true;
      else if (owner !== '') names.add(owner);
    }
  }
}

function isName(word: string): boolean {
  return /^[A-Za-z_]/.test(word) && !keywords.has(word);
}

/** The class that a head defines, the class of a method, or the function; empty where there is no name. */
function nameOfHead(head: readonly string[]): string {
  const plain = withoutTemplate(head);
  const parenthesis = plain.indexOf('(');
  const before = parenthesis < 0 ? plain : plain.slice(0, parenthesis);
  const isClass = before.some((each) => each === 'class' || each === 'struct' || each === 'union');
  if (isClass || parenthesis < 0) {
    const colon = before.indexOf(':');
    return (colon < 0 ? before : before.slice(0, colon)).findLast(isName) ?? '';
  }
  return (before.at(-2) === '::' ? withoutArguments(before.slice(0, -2)) : before).findLast(isName) ?? '';
}

/** `void Engine<T, N>` of `void Engine<T, N>::run()` without what stands in the angles. */
function withoutArguments(owner: readonly string[]): readonly string[] {
  if (owner.at(-1) !== '>') return owner;
  let depth = 0;
  for (let index = owner.length - 1; index >= 0; index--) {
    if (owner[index] === '>') depth++;
    if (owner[index] === '<' && --depth === 0) return owner.slice(0, index);
  }
  return owner;
}

/** A head without what stands between `template <` and its `>`. */
function withoutTemplate(head: readonly string[]): readonly string[] {
  if (head[0] !== 'template') return head;
  let depth = 0;
  for (const [index, word] of head.entries()) {
    if (word === '<') depth++;
    if (word === '>' && --depth === 0) return withoutTemplate(head.slice(index + 1));
  }
  return head;
}
