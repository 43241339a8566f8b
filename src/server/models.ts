/** Users' model files with their contents. */

import { parseModelFile } from '../models/user-models.ts';
import type { AnalysisInput } from '../pipeline.ts';
import type { ServerHost } from './host.ts';
import type { ModelFile } from './settings.ts';

export interface LoadedModels {
  readonly models: NonNullable<AnalysisInput['models']>;
  /** What is wrong with those that the user named: not there, or not as it must be. */
  readonly problems: readonly string[];
}

/** Reads those that the client named without their text. */
export function loadModels(files: readonly ModelFile[], readFile: ServerHost['readFile']): LoadedModels {
  const models: { file: string; text: string }[] = [];
  const problems: string[] = [];
  for (const { file, text } of files) {
    const content = text ?? readFile?.(file);
    if (content === undefined) {
      problems.push(`the model file ${file} could not be read`);
      continue;
    }
    const parsed = parseModelFile(file, content);
    if (parsed.kind === 'error') problems.push(`in a model file is a mistake: ${parsed.message}`);
    models.push({ file, text: content });
  }
  return { models, problems };
}
