/**
 * Diagnostics that are on the client's screen. A file can get some from its own analysis and some from those of the
 * files that include it; what is published for it is always the union, without repetitions.
 *
 *     owner (analysed file) ──▶ target (file the finding is in) ──▶ diagnostics
 */

import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver';

export interface PublishedDiagnostics {
  /** Replaces everything that `owner` contributed. */
  replace(owner: string, contributions: ReadonlyMap<string, readonly Diagnostic[]>): void;
  /** Forgets what `owner` contributed. */
  remove(owner: string): void;
}

/** `versionOf` gives the version of an open document; closed files have none. */
export function createPublishedDiagnostics(
  send: (params: PublishDiagnosticsParams) => void,
  versionOf: (uri: string) => number | undefined,
): PublishedDiagnostics {
  const byOwner = new Map<string, ReadonlyMap<string, readonly Diagnostic[]>>();

  const publish = (target: string) => {
    const version = versionOf(target);
    const diagnostics = unite([...byOwner.values()].map((contributions) => contributions.get(target) ?? []));
    send(version === undefined ? { uri: target, diagnostics } : { uri: target, version, diagnostics });
  };

  const replace = (owner: string, contributions: ReadonlyMap<string, readonly Diagnostic[]>) => {
    const targets = new Set([owner, ...contributions.keys(), ...(byOwner.get(owner)?.keys() ?? [])]);
    byOwner.set(owner, contributions);
    for (const target of targets) publish(target);
  };

  const remove = (owner: string) => {
    const targets = new Set([owner, ...(byOwner.get(owner)?.keys() ?? [])]);
    byOwner.delete(owner);
    for (const target of targets) publish(target);
  };

  return { replace, remove };
}

/** Two files that include the same header find the same mistakes in it. */
function unite(lists: readonly (readonly Diagnostic[])[]): Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const diagnostic of lists.flat()) {
    const { start, end } = diagnostic.range;
    const key = [start.line, start.character, end.line, end.character, diagnostic.code, diagnostic.message].join('\n');
    if (!seen.has(key)) seen.set(key, diagnostic);
  }
  return [...seen.values()];
}
