/** What a command is told of the code that it reads: users' models, and the symbols that the code is compiled with. */

import { parseModelFile } from '../models/user-models.ts';
import type { CommandIo } from './io.ts';
import type { ParsedWords } from './options.ts';
import { reasonOf } from './reasons.ts';

/** The options that {@link readSurroundings} looks at. */
export const surroundingOptions: readonly string[] = ['models', 'define'];

export interface Surroundings {
  readonly models: readonly { file: string; text: string }[];
  readonly defines: readonly string[];
}

/** Reads and checks them; an error says what is wrong with which. */
export async function readSurroundings(
  words: ParsedWords,
  io: CommandIo,
): Promise<Surroundings | { readonly error: string }> {
  const defines = words.values.get('define') ?? [];
  const wrong = defines.find((each) => !/^[A-Za-z_]\w*(?:=[^\n]*)?$/.test(each));
  if (wrong !== undefined) return { error: `--define takes NAME or NAME=VALUE; it is "${wrong}"` };
  const models: { file: string; text: string }[] = [];
  for (const file of words.values.get('models') ?? []) {
    let text: string;
    try {
      text = new TextDecoder().decode(await io.readFile(file));
    } catch (error) {
      return { error: `${reasonOf(error)}: ${file}` };
    }
    const parsed = parseModelFile(file, text);
    if (parsed.kind === 'error') return { error: parsed.message };
    models.push({ file, text });
  }
  return { models, defines };
}
