/** `graphmem simulate`: the launches of a program on the simulated driver, as text, JSON or one HTML page. */

import { readFile } from 'node:fs/promises';
import { formatBytes } from '../base/format-bytes.ts';
import type { Scene, SceneOperation } from '../scene/scene.ts';
import { htmlPage } from './html.ts';
import type { CommandIo } from './io.ts';
import { choice, parseWords } from './options.ts';
import { reasonOf } from './reasons.ts';
import { analyseFile } from './sources.ts';
import { readSurroundings, surroundingOptions } from './surroundings.ts';

export async function simulateCommand(words: readonly string[], io: CommandIo): Promise<number> {
  const fail = (message: string): number => {
    io.stderr(`graphmem simulate: ${message}\n`);
    return 2;
  };
  const parsed = parseWords(words, ['entry', 'set', 'format', 'output', ...surroundingOptions]);
  if (parsed.kind === 'error') return fail(parsed.message);
  const format = choice(parsed.words, 'format', ['text', 'json', 'html']);
  if ('error' in format) return fail(format.error);
  const [file, ...more] = parsed.words.paths;
  if (file === undefined || more.length > 0) return fail('name one file');
  const settings: Record<string, number> = {};
  for (const setting of parsed.words.values.get('set') ?? []) {
    const match = /^(.+?)=(.+)$/.exec(setting);
    const value = match ? Number(match[2]) : Number.NaN;
    if (!match || !Number.isFinite(value)) return fail(`--set takes NAME=NUMBER; it is "${setting}"`);
    if (settings[match[1]!] !== undefined && settings[match[1]!] !== value)
      return fail(`--set gives ${match[1]} two values`);
    settings[match[1]!] = value;
  }
  const surroundings = await readSurroundings(parsed.words, io);
  if ('error' in surroundings) return fail(surroundings.error);
  const outcome = analyseFile(await io.loadEngine(), file, surroundings.models, surroundings.defines);
  if (outcome.kind === 'quarantined') return fail(`${file}: ${outcome.reason}`);
  if (outcome.kind === 'irrelevant') return fail(`${file}: nothing here concerns CUDA`);
  const entry = parsed.words.values.get('entry')?.at(-1);
  if (entry !== undefined && !outcome.analysis.entries.includes(entry))
    return fail(`no entry "${entry}" in ${file}; there is ${outcome.analysis.entries.join(', ') || 'none'}`);
  const scene = outcome.analysis.scene({ ...(entry === undefined ? {} : { entry }), settings });
  const unknown = Object.keys(settings).filter((name) => !scene.symbols.some((symbol) => symbol.name === name));
  if (unknown.length > 0)
    return fail(
      `no size in ${file} depends on ${unknown.join(', ')}; there is ${scene.symbols.map((symbol) => symbol.name).join(', ') || 'none'}`,
    );
  const text =
    format.value === 'json'
      ? `${JSON.stringify(toJson(scene), null, 2)}\n`
      : format.value === 'html'
        ? await toHtml(scene)
        : toText(scene);
  const output = parsed.words.values.get('output')?.at(-1);
  if (output === undefined) {
    io.stdout(text);
    return 0;
  }
  try {
    await io.writeFile(output, text);
  } catch (error) {
    return fail(`${output}: ${reasonOf(error)}`);
  }
  return 0;
}

async function toHtml(scene: Scene): Promise<string> {
  const beside = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8');
  return htmlPage(scene, {
    css: await beside('../media/panel.css'),
    viewScript: await beside('view.js'),
    layoutScript: await beside('layout-worker.js'),
  });
}

/** The documented shape; see `schema/simulate.schema.json`. */
function toJson(scene: Scene): unknown {
  return {
    version: 1,
    driver: scene.driver,
    entry: scene.entry,
    operations: scene.operations.map((operation) => ({
      op: operation.op,
      label: operation.label,
      ...(operation.graph === undefined ? {} : { graph: operation.graph }),
      ...(operation.stream === undefined ? {} : { stream: operation.stream }),
      ...(operation.nth === undefined ? {} : { nth: operation.nth }),
      result: operation.result,
      used: operation.used,
      usedHigh: operation.usedHigh,
      reserved: operation.reserved,
      reservedHigh: operation.reservedHigh,
      remapped: operation.remapped,
      ...(operation.reason === undefined ? {} : { reason: operation.reason }),
      range: operation.place.range,
    })),
    allocations: scene.allocations
      .filter((allocation) => allocation.origin === 'graph' && allocation.graph !== undefined)
      .map((allocation) => ({
        graph: allocation.graph,
        node:
          scene.graphs[allocation.graph!]?.nodes.find(
            (node) => node.kind === 'memAlloc' && node.allocation === allocation.id,
          )?.id ?? null,
        name: allocation.name,
        bytes: allocation.bytes,
        offset: allocation.offset,
      })),
    symbols: scene.symbols.map((symbol) => ({ name: symbol.name, value: symbol.value })),
    peak: scene.peak,
  };
}

function toText(scene: Scene): string {
  const lines = [
    `Simulated driver ${scene.driver.name}${scene.driver.estimate ? ' (estimate: some sizes are not known and taken as 1 MiB)' : ''}, entry ${scene.entry || '(none)'}`,
    '',
  ];
  for (const graph of scene.graphs) {
    const allocations = scene.allocations.filter((each) => each.graph === graph.id);
    const facts = [graph.nodes.length === 1 ? '1 node' : `${graph.nodes.length} nodes`];
    if (graph.footprintBytes === null) facts.push('footprint not known');
    else if (allocations.length > 0) facts.push(`${formatBytes(graph.footprintBytes)} of addresses`);
    if (graph.peakLiveBytes !== null && allocations.length > 0)
      facts.push(`at least ${formatBytes(graph.peakLiveBytes)} live at once`);
    lines.push(`graph ${graph.name}: ${facts.join(', ')}`);
    for (const allocation of allocations)
      lines.push(
        `    ${allocation.name.padEnd(20)} ${allocation.bytes === null ? 'size not known' : formatBytes(allocation.bytes)} at +${allocation.offset === null ? '?' : `0x${allocation.offset.toString(16)}`}`,
      );
  }
  if (scene.operations.length > 0)
    lines.push('', `${'step'.padStart(5)}  ${'used'.padStart(9)}  ${'reserved'.padStart(9)}  operation`);
  for (const operation of scene.operations) lines.push(operationLine(operation));
  lines.push('', `peak: ${formatBytes(scene.peak.used)} used, ${formatBytes(scene.peak.reserved)} reserved`);
  for (const { file, range } of scene.shortened ?? [])
    lines.push(`${file}:${range.start.line}: the loop asks the same in every round: only the first rounds are shown`);
  if (scene.symbols.some((symbol) => symbol.value === null))
    lines.push(
      `not known from the text: ${scene.symbols
        .filter((symbol) => symbol.value === null)
        .map((symbol) => symbol.name)
        .join(', ')} (give values with --set NAME=VALUE)`,
    );
  return `${lines.join('\n')}\n`;
}

function operationLine(operation: SceneOperation): string {
  const result = operation.result === 'cudaSuccess' ? '' : `  ${operation.result}`;
  const mapped =
    operation.remapped > 0
      ? `  maps ${formatBytes(operation.remapped)}${operation.reason ? `: ${operation.reason}` : ''}`
      : '';
  return `${String(operation.id + 1).padStart(5)}  ${formatBytes(operation.used).padStart(9)}  ${formatBytes(operation.reserved).padStart(9)}  ${operation.label}${result}${mapped}`;
}
