/** What is compared between before and after, and between what was promised and what the edited code gives. */

import type { Execution } from '../execution/execution.ts';
import type { Scene } from '../scene/scene.ts';
import type { WhatIfNumbers } from '../scene/what-if-change.ts';

export function numbersOf(scene: Scene): WhatIfNumbers {
  const mapping = scene.operations.filter((operation) => operation.remapped > 0);
  return {
    used: scene.peak.used,
    reserved: scene.peak.reserved,
    remaps: mapping.length,
    remapped: mapping.reduce((sum, operation) => sum + operation.remapped, 0),
    violations: scene.findings.length,
    footprints: scene.graphs.map((graph) => graph.footprintBytes),
  };
}

/** Everything simulated and found, as text: two scenes with the same text promise the same. */
export function promiseOf(scene: Scene): string {
  return JSON.stringify({
    numbers: numbersOf(scene),
    rules: scene.findings.map(({ rule, certainty }) => `${rule} ${certainty}`).sort(),
    addresses: scene.allocations.map(({ bytes, offset }) => [bytes, offset]),
    steps: scene.operations.map(({ lane, result, used, usedHigh, reserved, reservedHigh, remapped }) => [
      lane,
      result,
      [used, usedHigh, reserved, reservedHigh, remapped],
    ]),
  });
}

/** The shape of graphs and of the work given to streams, as text; names and places do not count. */
export function shapeOf(execution: Execution): string {
  return JSON.stringify({
    graphs: execution.graphs.map((graph) =>
      graph.nodes.map((node) => [node.operation.kind, [...node.dependencies].sort((first, second) => first - second)]),
    ),
    executables: execution.executables.map(({ graph, autoFree }) => [graph, autoFree]),
    operations: execution.operations.map(({ kind, executable, stream }) => [
      kind,
      executable,
      execution.trace.handles[stream]?.name,
    ]),
    results: execution.calls.map(({ result }) => result),
  });
}
