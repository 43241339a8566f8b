/** The engine with the grammars that lie beside the bundle. */

import { readFile } from 'node:fs/promises';
import { createEngine, type EngineOptions, type ReplayEngine } from '../pipeline.ts';

/** Loads from the bundle's own folder. Throws when a grammar is missing: the package is incomplete. */
export function loadEngine(options?: EngineOptions): Promise<ReplayEngine> {
  return createEngine((name) => readFile(new URL(name, import.meta.url)), options);
}
