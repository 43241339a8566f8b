/** Values a person has given to sizes that the text does not determine, per file, kept in the workspace. */

import type * as vscode from 'vscode';

export interface SymbolValues {
  readonly of: (uri: vscode.Uri) => Readonly<Record<string, number>>;
  /** Null takes the value back. */
  readonly set: (uri: vscode.Uri, name: string, value: number | null) => Promise<void>;
}

export function createSymbolValues(memory: vscode.Memento): SymbolValues {
  const key = (uri: vscode.Uri) => `graphmem.symbols:${uri.toString()}`;
  const of = (uri: vscode.Uri) => memory.get<Record<string, number>>(key(uri)) ?? {};
  return {
    of,
    async set(uri, name, value) {
      const { [name]: _, ...others } = of(uri);
      await memory.update(key(uri), value === null ? others : { ...others, [name]: value });
    },
  };
}
