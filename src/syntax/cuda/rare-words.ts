/** Words that the parser does not know, in the words of the same length that it knows. No character moves. */

import { blank } from './scan.ts';

const inBrackets = '\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)';

/** What a kernel says of how it is to be launched, and that is read nowhere. */
const launchWords = new RegExp(`\\b__(?:cluster_dims|maxnreg|block_size)__\\s*${inBrackets}`, 'g');

const attributeBehindName = new RegExp(`(?<=[\\w\\]]\\s*)__attribute__\\s*${inBrackets}(?=\\s*=[^=])`, 'g');

const attributeBehindArray = new RegExp(`(?<=\\]\\s*)__attribute__\\s*${inBrackets}(?=\\s*[;,])`, 'g');

/** In a class it says where members lie. */
const beginsClass = /\b(?:struct|class|union)\b[^;(){}]*\{/;

const fallthrough = /__attribute__\s*\(\(\s*(?:fallthrough|__fallthrough__)\s*\)\)/g;

const typeOf = new RegExp(
  `\\b(?:__typeof__|__typeof|typeof)(\\s*${inBrackets})(?=(\\s*[*&]*\\s*[A-Za-z_]\\w*\\s*=[^=])?)`,
  'g',
);

const typedValue = new RegExp(
  `((?:[({,=?]|\\breturn)\\s*)(decltype\\s*${inBrackets}\\s*)(?:(\\{\\s*\\}(\\s*\\))?)|\\{([^{};,]*)\\}|(?=[({]))`,
  'g',
);

const severalIn = new RegExp(`(\\bdecltype\\s*)(${inBrackets})`, 'g');

const bracedCapture = /\[(?<=(?:[(,={;:?]|\breturn)\s*\[)(?:[^[\]{};]|\{(?:[^{}(),;]|\([^(){};]*\))+\})*\](?=\s*[({])/g;

/** Stands for the comma of `decltype(x.size(), void())`, which the parser does not know there. */
export const insteadOfComma = '^';

/** Stands for the point of `offsetof(T, part.member)`, where the parser knows one name only. */
export const partMark = '$';

const memberOfMember = /(\boffsetof\s*\([^();]*,\s*)([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?=\s*\))/g;

/** What `goto *where;` is assigned to in the words that the parser knows: `g0t0 =where;`. */
export const computedGoto = 'g0t0';

/** `&&label`: to the parser the complement of an address, of which C knows none. `T (&&items)[3]` and `T (&&call)(int)` have no label. */
const labelAddress = /&&(?=\s*[A-Za-z_])(?!\s*\w+\s*\)\s*[[(])(?<=(?:[=,{(?:]|\breturn)\s*&&)/g;

/** The text with another sign for each comma that is in no brackets. */
function joined(text: string): string {
  let depth = 0;
  let out = '';
  for (const [at, sign] of [...text].entries()) {
    if ('([{<'.includes(sign)) depth++;
    else if (')]}'.includes(sign) || (sign === '>' && text[at - 1] !== '-')) depth--;
    out += sign === ',' && depth === 0 ? insteadOfComma : sign;
  }
  return out;
}

/** Types that no program defines. */
export const plainTypes =
  'bool|char|wchar_t|short|int|long|float|double|void|size_t|ssize_t|ptrdiff_t|u?intptr_t|u?int(?:8|16|32|64)_t|char(?:8|16|32)_t';
const typeIdentity = new RegExp(
  `(\\btypeid\\s*\\()(\\s*(?:(?:const|volatile|signed|unsigned)\\s+)*(?:unsigned|(?:(?:${plainTypes})\\b\\s*)+)(?:const\\b\\s*|[*&]\\s*)*)(?=\\))`,
  'g',
);

/** A name for a type, where the parser knows names only. */
export function nameOfType(type: string): string {
  return type[0]!.toUpperCase() + type.slice(1).replace(/[^\w]/g, '_');
}

/** `float a[4] __attribute__((aligned(16)));` where it stands in no class: the parser knows it only in front of a value. */
export function withoutArrayAttributes(text: string): string {
  if (!text.includes('__attribute__') || beginsClass.test(text)) return text;
  return text.replace(attributeBehindArray, blank);
}

/** `__typeof__(x) y = x`, `if consteval { … }`, `decltype(x){0}`, `decltype(x, y)`, `typeid(int)`, `__builtin_offsetof(T, m)`. */
export function withoutRareWords(text: string): string {
  let plain = text;
  if (plain.includes('typeof'))
    plain = plain.replace(typeOf, (whole, of: string, isBegun: string | undefined) => {
      const length = whole.length - of.length;
      if (length >= 8) return 'decltype'.padEnd(length) + of;
      return isBegun === undefined ? whole : 'auto'.padEnd(length) + blank(of);
    });
  if (plain.includes('goto')) plain = plain.replace(/\bgoto(\s*)\*/g, `${computedGoto}$1=`);
  if (plain.includes('&&')) plain = plain.replace(labelAddress, '~&');
  if (plain.includes('__builtin_offsetof')) plain = plain.replace(/\b__builtin_offsetof\b/g, 'offsetof          ');
  if (plain.includes('offsetof'))
    plain = plain.replace(memberOfMember, (_, before: string, path: string) => before + path.replaceAll('.', partMark));
  if (plain.includes('consteval'))
    plain = plain.replace(/(\bif\s*)(!?)(\s*)\bconsteval\b(?=\s*\{)/g, (_, before: string, not: string, gap: string) =>
      not ? `${before}(true)${gap}    ` : `${before}${gap}(false)  `,
    );
  if (plain.includes('decltype')) {
    plain = plain.replace(severalIn, (_, word: string, of: string) => `${word}(${joined(of.slice(1, -1))})`);
    plain = plain.replace(
      typedValue,
      (_, before: string, type: string, none?: string, end?: string, value?: string) => {
        // `member(decltype(member){})`: nothing is given, which is the same.
        const isAlone = end !== undefined && before.startsWith('(');
        if (none !== undefined)
          return before + blank(type) + (isAlone ? blank(none.slice(0, -end.length)) + end : none);
        return before + blank(type) + (value === undefined ? '' : `(${value})`);
      },
    );
  }
  // `[task{std::move(task)}]`: `task = std::move(task)`.
  if (/\[[^[\]]*\w\s*\{/.test(plain))
    plain = plain.replace(bracedCapture, (captures) =>
      captures.replace(/(\w\s*)\{((?:[^{}(),;]|\([^(){};]*\))+)\}/g, '$1=$2 '),
    );
  // `typeid(int)`: each such type goes by a name of its own.
  if (plain.includes('typeid'))
    plain = plain.replace(typeIdentity, (_, before: string, type: string) => before + nameOfType(type));
  if (plain.includes('__attribute__')) plain = plain.replace(attributeBehindName, blank).replace(fallthrough, blank);
  return /__(?:cluster_dims|maxnreg|block_size)__/.test(plain) ? plain.replace(launchWords, blank) : plain;
}
