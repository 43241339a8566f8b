/** What lies over the graph for the selection: lit nodes and wires, and the numbered witness of a selected finding. */

import type { Place, Scene } from '../scene/scene.ts';
import { s } from './dom.ts';
import { nodeTimes, roleAt } from './facts.ts';
import type { Box, Picture } from './graph-geometry.ts';
import { type PaintedGraph, wireKey } from './graph-paint.ts';
import { searchNodes } from './search.ts';
import type { State } from './store.ts';
import { type WitnessOverlay, witnessOverlay } from './witness.ts';

/** Brings classes and overlay of a painted graph up to the state. */
export function markGraph(scene: Scene, picture: Picture, painted: PaintedGraph, state: State): void {
  const graph = picture.sheet.graph;
  const selection = state.selection;
  const finding = selection?.kind === 'finding' ? scene.findings[selection.id] : undefined;
  const overlay = finding ? witnessOverlay(graph, finding) : undefined;
  const matches = state.query === '' ? undefined : new Set(searchNodes(scene, state.graph, state.query));
  const call = selection?.kind === 'operation' ? scene.operations[selection.id] : undefined;
  const timeOf = nodeTimes(scene, state.step);
  for (const box of picture.boxes) {
    const { card } = box;
    const top = card.graph === graph.id && box.depth === 0;
    const element = painted.nodes.get(card.key)!;
    const flags: Record<string, boolean> = {
      selected: selection?.kind === 'node' && selection.graph === card.graph && selection.id === card.node.id,
      lit: state.lit.some((ref) => ref.graph === card.graph && ref.id === card.node.id),
      touched: selection?.kind === 'allocation' && roleAt(card.node, selection.id) !== undefined,
      witness: overlay !== undefined && top && overlay.numbers.has(card.node.id),
      accused: selection?.kind === 'finding' && card.node.findings.includes(selection.id),
      called: call !== undefined && samePlace(call.place, card.node.place),
      dimmed: isDimmed(box, state, matches, overlay, top),
      match: matches !== undefined && top && matches.has(card.node.id),
    };
    for (const [name, on] of Object.entries(flags)) element.classList.toggle(name, on);
    element.setAttribute('aria-pressed', String(flags['selected']));
    const time = timeOf(card.graph, card.node);
    for (const name of ['done', 'now', 'coming']) element.classList.toggle(name, time === name);
  }
  for (const wire of picture.wires) {
    const lit = overlay !== undefined && wire.graph === graph.id && overlay.edges.has(wire.index);
    const beside =
      selection?.kind === 'node' &&
      [wire.from, wire.to].some(
        (key) => key.endsWith(`${selection.graph}/${selection.id}`) && wire.graph === selection.graph,
      );
    painted.wires.get(wireKey(wire))!.classList.toggle('witness', lit);
    painted.wires.get(wireKey(wire))!.classList.toggle('beside', beside);
  }
  for (const [allocation, rail] of painted.rails) {
    rail.classList.toggle('selected', selection?.kind === 'allocation' && selection.id === allocation);
  }
  painted.overlay.replaceChildren(...(overlay ? paintOverlay(picture, overlay) : []));
}

function isDimmed(
  box: Box,
  state: State,
  matches: ReadonlySet<number> | undefined,
  overlay: WitnessOverlay | undefined,
  top: boolean,
): boolean {
  if (matches) return top && !matches.has(box.card.node.id);
  if (state.selection?.kind === 'allocation') return roleAt(box.card.node, state.selection.id) === undefined;
  if (overlay && overlay.numbers.size > 0) return top && !overlay.nodes.has(box.card.node.id);
  return false;
}

function paintOverlay(picture: Picture, overlay: WitnessOverlay): SVGElement[] {
  const boxes = new Map<number, Box>();
  for (const box of picture.boxes) if (box.depth === 0) boxes.set(box.card.node.id, box);
  const elements: SVGElement[] = [];
  for (const pair of overlay.unordered) {
    const [from, to] = [boxes.get(pair.from), boxes.get(pair.to)];
    if (from && to) elements.push(missingEdge(from, to));
  }
  for (const [node, numbers] of overlay.numbers) {
    const box = boxes.get(node);
    if (!box) continue;
    numbers.forEach((number, index) => {
      elements.push(
        s(
          'g',
          { class: 'step-number', transform: `translate(${box.x + box.width - index * 22} ${box.y})` },
          s('circle', { r: 10 }),
          s('text', { y: 4 }, String(number)),
        ),
      );
    });
  }
  return elements;
}

/** A dotted connector between two nodes that nothing orders, with words: the edge that is not there. */
function missingEdge(from: Box, to: Box): SVGGElement {
  const { path, x, y } = connector(from, to);
  return s(
    'g',
    { class: 'missing-edge' },
    s('path', { d: path }),
    s('rect', { x: x - 44, y: y - 10, width: 88, height: 20, rx: 10 }),
    s('text', { x, y: y + 4 }, 'not ordered'),
  );
}

/** Nodes above each other are joined by a curve between them, nodes beside each other by one below them. */
function connector(from: Box, to: Box): { path: string; x: number; y: number } {
  const [upper, lower] = from.y <= to.y ? [from, to] : [to, from];
  const side = upper.x + upper.width / 2 < lower.x + lower.width / 2 ? 1 : -1;
  const [x1, x2] = [upper.x + upper.width / 2 + side * 14, lower.x + lower.width / 2 - side * 14];
  const apart = lower.y - (upper.y + upper.height);
  if (apart >= 24) {
    const [y1, y2] = [upper.y + upper.height, lower.y];
    const y = (y1 + y2) / 2;
    return { path: `M${x1} ${y1}C${x1} ${y} ${x2} ${y} ${x2} ${y2}`, x: (x1 + x2) / 2, y };
  }
  const [y1, y2] = [upper.y + upper.height, lower.y + lower.height];
  const y = Math.max(y1, y2) + 26;
  return { path: `M${x1} ${y1}C${x1} ${y + 8} ${x2} ${y + 8} ${x2} ${y2}`, x: (x1 + x2) / 2, y };
}

function samePlace(a: Place, b: Place): boolean {
  return a.file === b.file && a.range.start.line === b.range.start.line;
}
