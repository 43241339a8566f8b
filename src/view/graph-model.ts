/**
 * What of a graph is drawn, and how big each piece must be: nodes become cards (title, kind and detail, allocation chips, a
 * finding's badge), child graphs become cards with a sheet inside, and a graph too large for the eye becomes a window onto it.
 */

import { kindWords } from '../scene/kind-words.ts';
import type { AccessMode, Scene, SceneFinding, SceneGraph, SceneNode } from '../scene/scene.ts';
import { formatBytes } from './format.ts';
import { topologicalOrder } from './graph-order.ts';
import { bottomInsets } from './node-shapes.ts';
import { fitText, textWidth } from './text.ts';

/** How many nodes are drawn at once; the rest are reached page by page. */
export const pageSize = 400;
/** Child graphs up to this size are drawn inside their node; larger ones are opened by themselves. */
const largestInlineChild = 60;
const deepestInlineChild = 2;

export const titleSize = 13;
export const detailSize = 11;
const widestText = 190;
const narrowestCard = 104;

export type ChipRole = AccessMode | 'alloc' | 'free';

/** One allocation at a node: its colour, its name and what the node does with it. */
export interface Chip {
  readonly allocation: number;
  readonly colour: number;
  readonly role: ChipRole;
  readonly text: string;
  readonly width: number;
}

export interface Badge {
  readonly text: string;
  readonly severity: SceneFinding['severity'];
  /** Index into `Scene.findings` of the gravest one. */
  readonly finding: number;
}

export interface Card {
  /** `graph/node`, with the keys of the nodes around it in front: unique in a picture. */
  readonly key: string;
  readonly graph: number;
  readonly node: SceneNode;
  readonly title: string;
  readonly detail: string;
  readonly chips: readonly Chip[];
  readonly moreChips: number;
  readonly badge: Badge | null;
  readonly width: number;
  readonly height: number;
  readonly child: Sheet | null;
}

export interface SheetEdge {
  /** Index into the graph's edges. */
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly certainty: 'always' | 'sometimes';
}

/** One graph as it is drawn: a page of cards in topological order, and the edges between them. */
export interface Sheet {
  readonly graph: SceneGraph;
  readonly cards: readonly Card[];
  readonly edges: readonly SheetEdge[];
  /** Stream names in order of appearance, when the graph was captured and every node has one; else empty. */
  readonly streams: readonly string[];
  /** Position of the first card in the graph's topological order. */
  readonly first: number;
  readonly total: number;
}

/** The sheet of a graph; undefined when the scene has no such graph. */
export function buildSheet(scene: Scene, graph: number, page: number): Sheet | undefined {
  return sheetAt(scene, graph, page, '', 0);
}

/** The page on which a node of a graph stands. */
export function pageOf(graph: SceneGraph, node: number): number {
  if (graph.nodes.length <= pageSize) return 0;
  return Math.max(0, Math.floor(topologicalOrder(graph).indexOf(node) / pageSize));
}

/** True when a graph's nodes are drawn inside a child node of `outer`. */
export function isDrawnInside(scene: Scene, outer: number, inner: number, depth = 0): boolean {
  if (depth >= deepestInlineChild) return false;
  return (scene.graphs[outer]?.nodes ?? []).some((node) => {
    const child = node.childGraph;
    if (child === undefined || !isInlined(scene, child)) return false;
    return child === inner || isDrawnInside(scene, child, inner, depth + 1);
  });
}

function isInlined(scene: Scene, graph: number): boolean {
  const size = scene.graphs[graph]?.nodes.length ?? 0;
  return size > 0 && size <= largestInlineChild;
}

export const severityOrder: readonly SceneFinding['severity'][] = ['error', 'warning', 'hint', 'info'];

function sheetAt(scene: Scene, graphId: number, page: number, prefix: string, depth: number): Sheet | undefined {
  const graph = scene.graphs[graphId];
  if (!graph) return undefined;
  const order = topologicalOrder(graph);
  const lastPage = Math.max(0, Math.ceil(order.length / pageSize) - 1);
  const first = Math.min(page, lastPage) * pageSize;
  const shown = order.slice(first, first + pageSize);
  const keyOf = new Map(shown.map((id) => [id, `${prefix}${graphId}/${id}`]));
  const cards = shown.map((id) => cardOf(scene, graph, graph.nodes[id]!, keyOf.get(id)!, depth));
  const edges = graph.edges.flatMap((edge, index) => {
    const from = keyOf.get(edge.from);
    const to = keyOf.get(edge.to);
    return from && to ? [{ index, from, to, certainty: edge.certainty }] : [];
  });
  return { graph, cards, edges, streams: streamsOf(graph, cards), first, total: order.length };
}

function streamsOf(graph: SceneGraph, cards: readonly Card[]): readonly string[] {
  if (graph.built !== 'capture') return [];
  const names = new Set<string>();
  for (const card of cards) {
    if (card.node.stream === undefined) return [];
    names.add(card.node.stream);
  }
  return [...names];
}

function cardOf(scene: Scene, graph: SceneGraph, node: SceneNode, key: string, depth: number): Card {
  const child = childSheet(scene, node, key, depth);
  const badge = badgeOf(scene, node);
  const chips = chipsOf(scene, node);
  const shownChips = chips.slice(0, 3);
  const moreChips = chips.length - shownChips.length;
  const title = fitText(node.label || kindWords[node.kind], widestText, titleSize, true);
  const detail = fitText(detailOf(scene, node), widestText, detailSize);
  const chipsWidth = shownChips.reduce((sum, chip) => sum + chip.width + 6, moreChips > 0 ? 22 : -6);
  const badgeWidth = badge ? textWidth(badge.text, detailSize, true) + 26 : 0;
  const text = Math.max(textWidth(title, titleSize, true), textWidth(detail, detailSize));
  const { left, right } = bottomInsets(node.kind);
  const width = Math.ceil(Math.max(narrowestCard, text + 54, chipsWidth + 32, badgeWidth + 12 + left + right));
  const height = 44 + (shownChips.length > 0 ? 20 : 0) + (badge ? 22 : 0);
  return { key, graph: graph.id, node, title, detail, chips: shownChips, moreChips, badge, width, height, child };
}

function childSheet(scene: Scene, node: SceneNode, key: string, depth: number): Sheet | null {
  if (node.childGraph === undefined || depth >= deepestInlineChild || !isInlined(scene, node.childGraph)) return null;
  return sheetAt(scene, node.childGraph, 0, `${key}>`, depth + 1) ?? null;
}

function detailOf(scene: Scene, node: SceneNode): string {
  const words = [node.certainty === 'sometimes' ? `may: ${kindWords[node.kind]}` : kindWords[node.kind]];
  if (node.kind === 'memAlloc') words.push(formatBytes(node.bytes));
  if (node.childGraph !== undefined) words.push(scene.graphs[node.childGraph]?.name ?? '');
  return words.filter((word) => word !== '').join(' · ');
}

function chipsOf(scene: Scene, node: SceneNode): readonly Chip[] {
  const chips: Chip[] = [];
  const add = (allocation: number, role: ChipRole): void => {
    const target = scene.allocations[allocation];
    if (!target || chips.some((chip) => chip.allocation === allocation)) return;
    const text = fitText(`${target.name}${roleMark[role]}`, 92, detailSize);
    chips.push({ allocation, colour: target.colour, role, text, width: 14 + textWidth(text, detailSize) });
  };
  if (node.allocation !== undefined) add(node.allocation, node.kind === 'memFree' ? 'free' : 'alloc');
  for (const access of node.accesses) add(access.allocation, access.mode);
  return chips;
}

const roleMark: Readonly<Record<ChipRole, string>> = {
  alloc: '',
  free: '',
  read: ' r',
  write: ' w',
  readwrite: ' rw',
  unknown: ' ?',
};

/** What a node does with an allocation, as a verb. */
export const roleWords: Readonly<Record<ChipRole, string>> = {
  alloc: 'allocates',
  free: 'frees',
  read: 'reads',
  write: 'writes',
  readwrite: 'reads and writes',
  unknown: 'uses',
};

function badgeOf(scene: Scene, node: SceneNode): Badge | null {
  const findings = node.findings.flatMap((id) => (scene.findings[id] ? [{ id, finding: scene.findings[id] }] : []));
  findings.sort((a, b) => severityOrder.indexOf(a.finding.severity) - severityOrder.indexOf(b.finding.severity));
  const worst = findings[0];
  if (!worst) return null;
  const more = findings.length > 1 ? ` +${findings.length - 1}` : '';
  const text = `${fitText(worst.finding.rule, 170, detailSize, true)}${more}`;
  return { text, severity: worst.finding.severity, finding: worst.id };
}
