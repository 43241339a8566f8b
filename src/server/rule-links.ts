/** Where a rule's page is. The one place that knows. */

const pages = 'https://example.invalid/graphmem/blob/main/docs/rules/';

/** The command that opens a rule's page inside the editor; takes the rule's id. */
export const explainCommand = 'graphmem.explainRule';

/**
 * The target of the link behind a diagnostic's rule id. An editor that has our extension shows the page that came with it,
 * without a network: VS Code opens such a link as a document (it refuses commands there). Others get the page's address.
 */
export function rulePage(rule: string, hasCommands: boolean): string {
  return hasCommands ? `graphmem-rule:/${rule}.md` : `${pages}${encodeURIComponent(rule)}.md`;
}
