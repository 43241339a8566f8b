/** A rule's documentation page, made from the rule itself. */

import { shownExample } from './example.ts';
import type { Rule } from './rule.ts';

/** Markdown; ends with a newline. */
export function rulePage(rule: Rule): string {
  return `# ${rule.id}

**${rule.severity}** · ${rule.number}

${rule.summary}

## Why

${rule.why}

## What to do

${rule.remedy}

## Reported

\`\`\`cuda
${shownExample(rule.bad)}
\`\`\`

## Not reported

\`\`\`cuda
${shownExample(rule.good)}
\`\`\`

Source: ${rule.source}.
`;
}
