import { analyseText } from './engine.ts';

/** The rules of what is said with conviction, errors and warnings, of a program: `head`, what stands before `main`, and its body, in which there is a stream `s`. */
export async function rulesSaid(head: string, before: string, body: string): Promise<readonly string[]> {
  const end = 'cudaStreamSynchronize(s); return 0; }';
  const { findings } = await analyseText(`${head}${before}\nint main() { cudaStreamCreate(&s); ${body}\n${end}`);
  const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
  return [...new Set(said.map(({ rule }) => rule))].sort();
}
