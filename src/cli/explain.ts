/** `graphmem explain RULE`: one rule's page. */

import { rulePage } from '../checks/rule-page.ts';
import { rules } from '../checks/rules/index.ts';
import type { CommandIo } from './io.ts';

export async function explainCommand(words: readonly string[], io: CommandIo): Promise<number> {
  const [wanted, ...more] = words;
  if (more.length > 0) {
    io.stderr('graphmem explain: name one rule\n');
    return 2;
  }
  const rule = rules.find((each) => each.id === wanted || each.number.toLowerCase() === wanted?.toLowerCase());
  if (rule) {
    io.stdout(rulePage(rule));
    return 0;
  }
  const near = wanted ? rules.filter((each) => each.id.includes(wanted)).map((each) => each.id) : [];
  io.stderr(
    `graphmem explain: ${wanted === undefined ? 'name a rule' : `no such rule: ${wanted}`}${near.length > 0 ? `; did you mean ${near.join(', ')}?` : ' (graphmem rules lists them)'}\n`,
  );
  return 2;
}
