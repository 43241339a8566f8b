/** Answers `graphmem/scene`: what the panel draws, or why there is nothing to draw. */

import type { Analysis } from '../pipeline.ts';
import type { SceneParams, SceneResult } from '../scene/requests.ts';
import type { Scene } from '../scene/scene.ts';
import type { AnalysedDocument } from './analyser.ts';
import type { Attempt } from './attempt.ts';

const nothing: SceneResult = {
  kind: 'empty',
  title: 'No CUDA graph in this file',
  detail:
    'Graphs appear here when the file builds one: with cudaGraphCreate and cudaGraphAdd…Node, or by capturing a stream.',
};

/** Never throws: a scene that cannot be made is a `failed` one. */
export function sceneOf(
  analysed: AnalysedDocument | undefined,
  { entry, settings }: SceneParams,
  attempt: (action: () => Scene) => Attempt<Scene>,
): SceneResult {
  if (analysed === undefined) {
    return failed('The file is not open', 'The language server only knows files that are open in the editor.');
  }
  switch (analysed.outcome.kind) {
    case 'irrelevant':
      return nothing;
    case 'quarantined':
      return failed('This file could not be analysed', analysed.outcome.reason);
    case 'stale':
      return failed('The file is changing', 'The picture returns when the typing pauses.');
    case 'analysed':
      return picture(analysed.outcome.analysis, { entry, settings }, attempt);
  }
}

function picture(
  analysis: Analysis,
  { entry, settings }: Omit<SceneParams, 'uri'>,
  attempt: (action: () => Scene) => Attempt<Scene>,
): SceneResult {
  const result = attempt(() =>
    analysis.scene({ ...(entry === undefined ? {} : { entry }), ...(settings === undefined ? {} : { settings }) }),
  );
  switch (result.kind) {
    case 'cancelled':
      return failed('Cancelled', 'The simulation was stopped. Run it again when you like.');
    case 'failed':
      return failed('The picture could not be made', result.reason);
    case 'done':
      return isEmpty(result.value) ? nothing : { kind: 'scene', scene: result.value };
  }
}

function isEmpty({ graphs, operations }: Scene): boolean {
  return graphs.length === 0 && operations.length === 0;
}

function failed(title: string, detail: string): SceneResult {
  return { kind: 'failed', title, detail };
}
