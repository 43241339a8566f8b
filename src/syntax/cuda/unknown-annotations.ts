/**
 * Words in capitals that no text defines, where a declaration has no room for another name: `float *p GUARDED_BY(m);`,
 * `void f() REQUIRES(m) {`, `void f(IN_ float *RESTRICT_ p)`, `class LIB_API Name final {`, `[=] LIB_DEVICE(int i) {`. They become white space.
 */

import type { MacroDefinition } from '../../program/program.ts';
import { deviceLambda } from './device-lambdas.ts';
import { nameOfType, plainTypes } from './rare-words.ts';
import { blank } from './scan.ts';

type Known = ReadonlyMap<string, MacroDefinition>;

const given = '(?:\\s*\\((?:[^(){};]|\\((?:[^(){};]|\\([^(){};]*\\))*\\))*\\))?';
/** With something between its letters: a type, or a number, has that seldom. */
const word = '\\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\\b';
/** Where one may begin, so that nothing else is asked what stands before it. */
const here = '\\b(?=[A-Z][A-Z0-9]*_)';
const attribute =
  '(?:\\[\\[[^\\]]*\\]\\]|__attribute__\\s*\\(\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)\\)|alignas\\s*\\([^()]*\\))';
const qualifiers = '(?:(?:const|volatile|noexcept|override|final|&&?)\\s*)*';

/** Behind what a function is given, up to its body: the words, and all that stands before them in the text. */
const behindParameters = new RegExp(
  `(\\)\\s*${qualifiers})((?:${word}${given}\\s*)+)(?=${qualifiers}(?:\\{|;|->|=\\s*(?:0|default|delete)\\b))`,
  'g',
);

/** No type stands there, nor a name: also `a and b`. */
const keyword =
  '(?:and|or|xor|not|bitand|bitor|\\w+_eq|__\\w+__|register|thread_local|sizeof|co_return|co_yield|co_await|const|static|inline|extern|virtual|constexpr|explicit|friend|typedef|struct|class|union|enum|return|else|case|goto|new|delete|throw|using|typename|operator|unsigned|signed|long|short|mutable|volatile|public|private|protected|namespace)';
const plainType = '(?:void|bool|char|int|float|double|auto|long|short|unsigned|signed|size_t|\\w+_t)';

/** Behind the name of a member, or of a variable: a type, a name in small letters, and the word. */
const behindName = new RegExp(
  `${here}(?<=(?:[*&>][ \\t]*|\\b(?!${keyword}\\b)[A-Za-z_][\\w:]*[ \\t]+)(?!${keyword}\\b|${plainType}\\b)[a-z_]\\w*[ \\t]+)${word}${given}(?=\\s*(?:;|,|\\)|=[^=]|\\{))`,
  'g',
);

/** In front of a parameter's type, and between an asterisk and a name. */
const beforeParameter = new RegExp(
  `${here}(?<=[(,]\\s*)${word}(?=\\s+(?:const\\s+)?(?!(?:const|volatile|and|x?or|bit\\w+|\\w+_eq)\\b)[A-Za-z_][\\w:]*(?:<[^()<>;]*>)?[\\s*&]+(?:${word}\\s+)?[A-Za-z_]\\w*\\s*[,)=[])`,
  'g',
);
const behindAsterisk = new RegExp(`${here}(?<=[*&][ \\t]*)${word}(?=\\s+[a-z_]\\w*\\s*[,)=;[])`, 'g');
/** Between a function's type and its name. */
const beforeName = new RegExp(
  `${here}(?<=\\b(?!${keyword}\\b)[A-Za-z_][\\w:]*[ \\t]+)${word}(?=\\s+[a-z_]\\w*\\s*\\()`,
  'g',
);

/** In front of what begins a declaration: `LIB_API virtual ~Name();`. */
const beforeSpecifier = new RegExp(
  `${here}(?<=(?:^|[;{}:])\\s*)${word}(?=\\s+(?:virtual|static|inline|explicit|constexpr|extern|friend|mutable|thread_local|template|${plainType})\\b)`,
  'g',
);

/** `struct CONFIG_T config{1, 2}`: in the braces is no declaration. */
const begunVariable = '[a-z]\\w*\\s*\\{\\s*(?:\\{|[^;{}]*\\})';
/** Between `class` and its name. */
const inClassHead = new RegExp(
  `${here}(?<=\\b(?:class|struct|union)\\s+(?:${attribute}\\s*)*)${word}${given}(?=\\s+(?:${attribute}\\s*)*(?!${begunVariable})[A-Za-z_]\\w*\\s*(?:final\\s*)?(?:[:{]))`,
  'g',
);

/** Between what a lambda captures and what it is given: `[=] LIB_DEVICE(int i) { … }`. */
const inLambda = new RegExp(
  `((?:[(,=;{}&|?:]|\\breturn)\\s*\\[[^\\[\\]]*\\]\\s*)(${word})(?=\\s*\\((?:[^(){};]|\\([^(){};]*\\))*\\)\\s*(?:mutable\\b\\s*|->[^{};]*)?\\{)`,
  'g',
);

/** `LIB_LAMBDA(int i) { … }` begins a lambda that the device runs. */
const lambdaWord = new RegExp(
  `${here}(?<=[(,=]\\s*)[A-Z][A-Z0-9_]*_LAMBDA\\b(?=\\s*\\((?:[^(){};]|\\([^(){};]*\\))*\\)\\s*(?:mutable\\b\\s*|->[^{};]*)?\\{)`,
  'g',
);

/** `LIB_MAKE(float, n)`, where a value or a statement may stand. */
const use = new RegExp(
  `((?:[=(,?:;{}<&|!]|\\breturn)\\s*)(${word})(\\s*\\()((?:[^(){};]|\\((?:[^(){};]|\\([^(){};]*\\))*\\))*)(?=\\))`,
  'g',
);
const typeGiven = new RegExp(
  `(^|,)(\\s*)((?:(?:const|unsigned|signed)\\s+)*(?:unsigned|${plainTypes})(?:\\s+(?:${plainTypes}))*(?:\\s*\\*)*)(?=\\s*(?:,|$))`,
  'g',
);

const some = new RegExp(word);

export function withoutAnnotations(text: string, known: Known): string {
  if (!some.test(text)) return text;
  const unlessKnown = (written: string): string => (known.has(/^\w+/.exec(written)![0]) ? written : blank(written));
  return text
    .replace(inClassHead, unlessKnown)
    .replace(behindParameters, (whole, before: string, words: string, at: number) =>
      isOfFunction(text, at) && !known.has(/^\w+/.exec(words)![0]) ? before + blank(words) : whole,
    )
    .replace(beforeSpecifier, unlessKnown)
    .replace(beforeParameter, unlessKnown)
    .replace(behindAsterisk, unlessKnown)
    .replace(beforeName, unlessKnown)
    .replace(behindName, unlessKnown)
    .replace(use, (whole, before: string, name: string, open: string, values: string) => {
      if (known.has(name)) return whole;
      const named = values.replace(
        typeGiven,
        (_, start: string, gap: string, type: string) => start + gap + nameOfType(type),
      );
      return before + name + open + named;
    })
    .replace(lambdaWord, (name) => (known.has(name) ? name : `[=]${deviceLambda(name.slice(3))}`))
    .replace(inLambda, (whole, before: string, name: string) => {
      if (known.has(name)) return whole;
      return before + (name.includes('DEVICE') ? deviceLambda(name) : blank(name));
    });
}

/** Whether the bracket that ends there closes what a function is given: `if (a) CHECK(b);` is none, nor is `EACH(i, n) CHECK(i);`. */
function isOfFunction(text: string, close: number): boolean {
  let depth = 0;
  for (let index = close; index >= 0; index--) {
    if (text[index] === ')') depth++;
    else if (text[index] === '(' && --depth === 0) {
      const name = /([A-Za-z_]\w*)\s*$/.exec(text.slice(Math.max(0, index - 80), index))?.[1];
      return (
        name !== undefined &&
        /[a-z]/.test(name) &&
        !/^(?:if|while|for|switch|catch|constexpr|return|sizeof|decltype|noexcept)$/.test(name)
      );
    }
  }
  return false;
}
