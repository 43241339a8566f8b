/**
 * Law: what a what-if promises is what the edited code gives. Everything the panel would offer for the fixtures is tried; where
 * the code can follow, its analysis from scratch says the same addresses, memory, results and findings.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../src/base/apply-edits.ts';
import type { Scene } from '../../src/scene/scene.ts';
import type { WhatIfChange } from '../../src/scene/what-if-change.ts';
import { droppableDependencies, moveOf, possibleDependencies, streamsFor } from '../../src/view/what-if-model.ts';
import { numbersOf, promiseOf } from '../../src/what-if/numbers.ts';
import { analyseText, repository } from '../support/engine.ts';

const folder = path.join(repository, 'test', 'fixtures');

/** Files without headers of their own; every second one, to be quick. */
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.cu'))
  .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const)
  .filter(([, text]) => !text.includes('#include "'))
  .filter((_, index) => index % 2 === 0);

/** One change of each kind that the panel offers for a graph, a node or a launch. */
function offered(scene: Scene): readonly WhatIfChange[] {
  const changes: WhatIfChange[] = [];
  for (const graph of scene.graphs) {
    const event = (id: number | undefined): number => graph.nodes[id ?? -1]?.event ?? -1;
    for (const { id } of graph.nodes) {
      const possible = possibleDependencies(graph, id);
      const dropped = droppableDependencies(graph, id);
      const to = event(id);
      if (possible.length > 0) changes.push({ kind: 'addDependency', from: event(possible.at(-1)), to });
      if (dropped.length > 0) changes.push({ kind: 'dropDependency', from: event(dropped[0]), to });
      if (moveOf(graph, id)?.reason === null) changes.push({ kind: 'moveFree', free: to });
    }
    if (graph.executable) {
      const { event: instantiate, autoFree } = graph.executable;
      changes.push({ kind: 'autoFree', instantiate, value: !autoFree });
    }
  }
  for (const operation of scene.operations) {
    const other = streamsFor(scene, operation).find((stream) => stream.name !== operation.stream);
    if (other) changes.push({ kind: 'launchStream', launch: operation.event ?? -1, stream: other.handle });
  }
  return changes;
}

/** Spread over the list, so that every kind has its turn. */
function sample<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, index) => all[Math.floor(index * step)]!);
}

const counts = { followed: 0, refused: 0 };

describe('a what-if keeps its promise', () => {
  it.each(texts)('%s', async (_, text) => {
    const analysis = await analyseText(text);
    const scene = analysis.scene();
    for (const change of sample(offered(scene), 5)) {
      const changes = [change];
      const changed = analysis.scene({ changes });
      expect(changed.whatIf?.before, JSON.stringify(change)).toEqual(numbersOf(scene));
      const code = analysis.whatIfCode({ changes });
      expect(code.kind === 'refused' ? code.reason : null).toBe(changed.whatIf?.refusal);
      if (code.kind === 'refused') counts.refused++;
      else {
        counts.followed++;
        const fresh = (await analyseText(applyEdits(text, [code.edit]))).scene();
        expect(promiseOf(fresh), JSON.stringify(change)).toBe(promiseOf(changed));
      }
    }
  });

  it('and the code can follow most of the time', () => {
    expect(counts.followed).toBeGreaterThan(4 * counts.refused);
  });
});
