/** Numbers and places as words: the same spelling in every pane. */

import type { Place, Scene, SceneOperation } from '../scene/scene.ts';

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `67108864` → `64 MiB`; a size nobody knows is said to be unknown, never shown as 0. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return 'size unknown';
  if (bytes === 1) return '1 byte';
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${units[unit]}`;
}

/** `0x2000000`: an offset in a graph's address range. */
export function formatOffset(offset: number): string {
  return `+0x${offset.toString(16)}`;
}

/** `3 nodes`, `1 node`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** `fork_join.cu:17`: short, for a person; the whole path goes into the tooltip. */
export function formatPlace(place: Place): string {
  return `${fileName(place.file)}:${place.range.start.line}`;
}

/** A graph's name, numbered when several instantiations carry the same one. */
export function graphName(scene: Scene, id: number): string {
  const name = scene.graphs[id]?.name ?? `graph ${id}`;
  const same = scene.graphs.filter((graph) => graph.name === name);
  return same.length < 2 ? name : `${name} (${same.findIndex((graph) => graph.id === id) + 1})`;
}

/** The last part of a path or URI. */
export function fileName(file: string): string {
  const end = file.replace(/[\\/]+$/, '');
  return end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1) || file;
}

/** The footer's sentence: where the cursor stands, what happens there and what memory does. */
export function describeStep(operations: readonly SceneOperation[], step: number): string {
  const operation = operations[step];
  if (!operation) return 'No operations';
  const parts = [
    `step ${step + 1} of ${operations.length}`,
    operation.label,
    `used ${formatBytes(operation.used)}`,
    `reserved ${formatBytes(operation.reserved)}`,
  ];
  if (operation.reason) parts.push(`remap: ${operation.reason}`);
  if (failed(operation)) parts.push(operation.result);
  return parts.join(' · ');
}

/** True when the driver would refuse the call. */
export function failed(operation: SceneOperation): boolean {
  return operation.result !== '' && operation.result !== 'cudaSuccess';
}
