/**
 * PTX in `asm("…" : … : …)`: which of its operands are addresses that it reads or writes at (PTX ISA, "Data Movement and Conversion
 * Instructions", "Parallel Synchronization and Communication Instructions"). Assembly of a host has no such instructions.
 */

/** What an instruction does at the addresses: `copy` writes at the first and reads at the second. */
type Manner = 'read' | 'write' | 'atomic' | 'copy';

export interface PtxAccess {
  readonly manner: Manner;
  /** Numbers of operands, outputs first, in the order in which they stand in brackets. */
  readonly operands: readonly number[];
}

const manners: readonly (readonly [opcode: RegExp, manner: Manner])[] = [
  [/^cp\.async\.(?:bulk\.(?:tensor|prefetch|commit|wait)|commit|wait|mbarrier)/, 'read'],
  [/^cp\.async\./, 'copy'],
  [/^(?:ld|ldu|ldmatrix|wmma\.load|multimem\.ld_reduce)\./, 'read'],
  [/^(?:st|stmatrix|wmma\.store|multimem\.st)\./, 'write'],
  [/^(?:atom|red|multimem\.red|cp\.reduce)\./, 'atomic'],
];

/** What is done to memory by each instruction that names operands in brackets. `names`: of the operands, where they have some. */
export function ptxAccesses(template: string, names: readonly (string | null)[]): readonly PtxAccess[] {
  const accesses: PtxAccess[] = [];
  /** Registers of its own, and the operand whose address they hold. */
  const held = new Map<string, number>();
  const operandOf = (word: string): number | undefined => {
    if (/^%\d+$/.test(word)) return Number(word.slice(1));
    const name = /^%\[(\w+)\]$/.exec(word)?.[1];
    return name === undefined ? held.get(word) : names.indexOf(name);
  };
  for (const instruction of instructionsOf(template)) {
    const opcode = /^[\w.:]+/.exec(instruction)?.[0] ?? '';
    const manner = manners.find(([pattern]) => pattern.test(opcode))?.[1];
    const words = [...instruction.slice(opcode.length).matchAll(/%\[\w+\]|%?[\w$]+/g)].map(([word]) => word);
    if (!manner) {
      const [to = '', ...from] = words;
      const operand = from.map(operandOf).find((each) => each !== undefined);
      if (operand !== undefined && !to.startsWith('%')) held.set(to, operand);
      continue;
    }
    const places = [...instruction.matchAll(/\[\s*(%\[\w+\]|%?[\w$]+)/g)].map(([, word = '']) => operandOf(word) ?? -1);
    if (places.some((each) => each >= 0)) accesses.push({ manner, operands: places });
  }
  return accesses;
}

/** Whether all that it does is to give an address another form: `cvta.to.global.u64 %0, %1;`. */
export function onlyConverts(template: string): boolean {
  const instructions = instructionsOf(template).filter((each) => !each.startsWith('.reg'));
  return (
    instructions.length > 0 && instructions.every((each) => /^(?:cvta\.|mov\.[bu]64\b|cvt\.u64\.u64\b)/.test(each))
  );
}

/** One by one, without what they are guarded by. */
function instructionsOf(template: string): readonly string[] {
  return template
    .replace(/\\[nt]/g, ' ')
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ')
    .replace(/%%/g, '')
    .split(';')
    .map((each) => each.replace(/^[\s{}]*(?:[\w$]+:\s*)?(?:@!?[\w$]+\s+)?/, '').trim())
    .filter(Boolean);
}
