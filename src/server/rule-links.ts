/** Where a rule's page is. The one place that knows. */

const pages = 'https://example.invalid/graphmem/blob/main/docs/rules/';

/** The command that opens a rule's page inside the editor; takes the rule's id. */
export const explainCommand = 'graphmem.explainRule';

/**
 * The target of the link behind a diagnostic's rule id. An editor that has our commands opens the page it already has,
 * without a network; others get the page's address.
 */
export function rulePage(rule: string, hasCommands: boolean): string {
  if (hasCommands) return `command:${explainCommand}?${encodeURIComponent(JSON.stringify([rule]))}`;
  return `${pages}${encodeURIComponent(rule)}.md`;
}
