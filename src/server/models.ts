/** Users' model files with their contents. */

import type { AnalysisInput } from '../pipeline.ts';
import type { ServerHost } from './host.ts';
import type { ModelFile } from './settings.ts';

export interface LoadedModels {
  readonly models: NonNullable<AnalysisInput['models']>;
  /** Named by the user, but not there. */
  readonly missing: readonly string[];
}

/** Reads those that the client named without their text. */
export function loadModels(files: readonly ModelFile[], readFile: ServerHost['readFile']): LoadedModels {
  const models: { file: string; text: string }[] = [];
  const missing: string[] = [];
  for (const { file, text } of files) {
    const content = text ?? readFile?.(file);
    if (content === undefined) missing.push(file);
    else models.push({ file, text: content });
  }
  return { models, missing };
}
