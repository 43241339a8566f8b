/** `graphmem rules`: the catalogue, as JSON or Markdown. */

import { rulePage } from '../checks/rule-page.ts';
import { rules } from '../checks/rules/index.ts';
import type { CommandIo } from './io.ts';
import { choice, parseWords } from './options.ts';

export async function rulesCommand(words: readonly string[], io: CommandIo): Promise<number> {
  const parsed = parseWords(words, ['format']);
  const format =
    parsed.kind === 'error'
      ? { error: parsed.message }
      : parsed.words.paths.length > 0
        ? { error: 'it lists all rules; graphmem explain RULE prints one' }
        : choice(parsed.words, 'format', ['markdown', 'json']);
  if ('error' in format) {
    io.stderr(`graphmem rules: ${format.error}\n`);
    return 2;
  }
  if (format.value === 'json') {
    const list = rules.map(({ id, number, severity, summary, why, remedy, source }) => ({
      id,
      number,
      severity,
      summary,
      why,
      remedy,
      source,
    }));
    io.stdout(`${JSON.stringify({ version: 1, rules: list }, null, 2)}\n`);
  } else io.stdout(`${rules.map(rulePage).join('\n')}`);
  return 0;
}
