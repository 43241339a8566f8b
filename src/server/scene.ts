/** Answers `graphmem/scene`: what the panel draws, or why there is nothing to draw; and a what-if's way into the code. */

import { rangeOf } from '../base/source-text.ts';
import type { Analysis, SceneOptions } from '../pipeline.ts';
import type { SceneParams, SceneResult, WhatIfEditsResult } from '../scene/requests.ts';
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
  params: SceneParams,
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
      return picture(analysed.outcome.analysis, optionsOf(params), attempt);
  }
}

function picture(
  analysis: Analysis,
  options: SceneOptions,
  attempt: (action: () => Scene) => Attempt<Scene>,
): SceneResult {
  const result = attempt(() => analysis.scene(options));
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

/** Leaves out what was not given. */
function optionsOf({ entry, settings, changes }: SceneParams): SceneOptions {
  return {
    ...(entry === undefined ? {} : { entry }),
    ...(settings === undefined ? {} : { settings }),
    ...(changes === undefined ? {} : { changes }),
  };
}

/** Never throws: what cannot be done is refused with a reason. */
export function whatIfEditsOf(
  analysed: AnalysedDocument | undefined,
  params: SceneParams,
  attempt: (action: () => WhatIfEditsResult) => Attempt<WhatIfEditsResult>,
): WhatIfEditsResult {
  if (analysed?.outcome.kind !== 'analysed') return refused('The file is changing; try again when it has been read.');
  const { analysis } = analysed.outcome;
  const result = attempt(() => {
    const code = analysis.whatIfCode(optionsOf(params));
    if (code.kind === 'refused') return refused(code.reason);
    const source = analysis.sources.get(code.edit.span.file);
    if (source === undefined) return refused('The file to change is not open.');
    const edits = [{ range: rangeOf(source, code.edit.span), newText: code.edit.newText }];
    return { kind: 'edits', version: analysed.version, edits };
  });
  switch (result.kind) {
    case 'done':
      return result.value;
    case 'cancelled':
      return refused('Cancelled');
    case 'failed':
      return refused(result.reason);
  }
}

function refused(reason: string): WhatIfEditsResult {
  return { kind: 'refused', reason };
}
