/** The inspector: what is selected, its life, what it is ordered with and what is wrong with it. Without a selection, the whole. */

import { kindWords } from '../scene/kind-words.ts';
import type { Scene, SceneFinding, SceneNode } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { type Child, h } from './dom.ts';
import { type Use, usesOf, useWord } from './facts.ts';
import { count, failed, formatBytes, formatOffset } from './format.ts';
import { roleWords, severityOrder } from './graph-model.ts';
import { type Reach, reach } from './graph-order.ts';
import { severitySigns } from './graph-paint.ts';
import { allocationLink, findingLink, nodeLink, placeLink } from './links.ts';
import { colourClass } from './palette.ts';
import { prose } from './prose.ts';
import type { Selection, State } from './store.ts';
import { whatIfOfNode, whatIfOfOperation } from './what-if-form.ts';

export function inspect(scene: Scene, state: State, actions: Actions): Node[] {
  const selection = state.selection;
  if (!selection) return overview(scene, actions);
  return inspectSelection(scene, selection, actions);
}

function inspectSelection(scene: Scene, selection: Selection, actions: Actions): Node[] {
  switch (selection.kind) {
    case 'node':
      return inspectNode(scene, selection.graph, selection.id, actions);
    case 'allocation':
      return inspectAllocation(scene, selection.id, actions);
    case 'operation':
      return inspectOperation(scene, selection.id, actions);
    case 'finding':
      return inspectFinding(scene, selection.id, actions);
  }
}

function overview(scene: Scene, actions: Actions): Node[] {
  const findings = scene.findings
    .map((finding, id) => ({ finding, id }))
    .sort((a, b) => severityOrder.indexOf(a.finding.severity) - severityOrder.indexOf(b.finding.severity));
  const list = findings.map(({ finding, id }) => findingCard(scene, finding, id, actions));
  return [
    heading(scene.entry || 'This file', 'function'),
    rows(
      ['graphs', String(scene.graphs.length)],
      ['operations', String(scene.operations.length)],
      ['used, at most', formatBytes(scene.peak.used)],
      ['reserved, at most', formatBytes(scene.peak.reserved)],
      ['driver', scene.driver.estimate ? `${scene.driver.name} (estimate)` : scene.driver.name],
    ),
    ...(list.length === 0
      ? [h('p', { class: 'all-well' }, '✓ No violations found')]
      : [h('h3', {}, count(list.length, 'violation')), ...list]),
    h('p', { class: 'quiet' }, 'Select a node, an allocation or a step to see its life and its order.'),
  ];
}

function inspectNode(scene: Scene, graphId: number, id: number, actions: Actions): Node[] {
  const graph = scene.graphs[graphId]!;
  const node = graph.nodes[id]!;
  const stream = node.stream ? [['stream', node.stream] as const] : [];
  const bytes = node.kind === 'memAlloc' ? [['size', formatBytes(node.bytes)] as const] : [];
  const certainty = node.certainty === 'sometimes' ? [['certainty', 'may: only on some paths'] as const] : [];
  const child = node.childGraph === undefined ? [] : [['runs', scene.graphs[node.childGraph]?.name ?? '?'] as const];
  return [
    heading(node.label || kindWords[node.kind], kindWords[node.kind]),
    rows(['graph', graph.name], ...stream, ...bytes, ...child, ...certainty, ['code', placeLink(node.place, actions)]),
    ...findingsOf(scene, node.findings, actions),
    ...memoryOf(scene, node, actions),
    ...orderOf(scene, graphId, id, actions),
    ...whatIfOfNode(graph, id, actions),
  ];
}

function memoryOf(scene: Scene, node: SceneNode, actions: Actions): Node[] {
  const own =
    node.allocation === undefined ? [] : [[node.kind === 'memFree' ? 'frees' : 'allocates', node.allocation] as const];
  const accessed = node.accesses.map((access) => [roleWords[access.mode], access.allocation] as const);
  const lines = [...own, ...accessed].filter(([, id]) => scene.allocations[id] !== undefined);
  if (lines.length === 0) return [];
  return [
    h('h3', {}, 'Memory'),
    rows(...lines.map(([verb, id]) => [verb, allocationLink(scene, id, actions)] as const)),
  ];
}

function orderOf(scene: Scene, graphId: number, id: number, actions: Actions): Node[] {
  const graph = scene.graphs[graphId]!;
  if (graph.nodes.length < 2) return [];
  const before = reach(graph, id, 'before');
  const after = reach(graph, id, 'after');
  const beside = graph.nodes.filter((node) => node.id !== id && !before.has(node.id) && !after.has(node.id));
  return [
    h('h3', {}, 'Order'),
    orderLine(scene, graphId, 'runs after', before, actions),
    orderLine(scene, graphId, 'runs before', after, actions),
    orderLine(scene, graphId, 'not ordered with', new Map(beside.map((node) => [node.id, 'always' as const])), actions),
  ].filter((line) => line !== null);
}

const mostListed = 12;

function orderLine(
  scene: Scene,
  graph: number,
  words: string,
  nodes: ReadonlyMap<number, Reach>,
  actions: Actions,
): HTMLElement | null {
  if (nodes.size === 0) return null;
  const list = h('ul', { class: 'inline' });
  for (const [id, certainty] of [...nodes].slice(0, mostListed)) {
    list.append(
      h('li', { class: certainty }, nodeLink(scene, graph, id, actions), certainty === 'sometimes' ? ' (may)' : null),
    );
  }
  if (nodes.size > mostListed) list.append(h('li', { class: 'quiet' }, `and ${nodes.size - mostListed} more`));
  return h('div', { class: 'order-line' }, h('h4', {}, words), list);
}

function inspectAllocation(scene: Scene, id: number, actions: Actions): Node[] {
  const allocation = scene.allocations[id]!;
  const uses = usesOf(scene, id);
  const place = allocation.offset === null ? 'not known' : formatOffset(allocation.offset);
  const live = scene.operations.filter((operation) => operation.live.includes(id)).map((operation) => operation.id + 1);
  const graph = allocation.graph === undefined ? [] : [['graph', scene.graphs[allocation.graph]?.name ?? '?'] as const];
  const findings = new Set(uses.flatMap((use) => scene.graphs[use.graph]?.nodes[use.node]?.findings ?? []));
  const title = heading(allocation.name, `${allocation.origin} allocation`);
  title.prepend(h('span', { class: `swatch large ${colourClass(allocation.colour)}` }));
  return [
    title,
    rows(['size', formatBytes(allocation.bytes)], ['address', place], ...graph, [
      'code',
      placeLink(allocation.place, actions),
    ]),
    h('h3', {}, 'Life'),
    uses.length === 0 ? h('p', { class: 'quiet' }, 'No node touches it.') : lifeList(scene, uses, actions),
    uses.some((use) => use.role === 'free') || uses.every((use) => use.role !== 'alloc')
      ? null
      : h('p', { class: 'quiet' }, 'No node of a graph frees it: it lives on after the launch.'),
    live.length > 0 ? h('p', {}, `Live after steps ${ranges(live)}.`) : null,
    ...findingsOf(scene, [...findings], actions),
  ].filter((node) => node !== null);
}

function lifeList(scene: Scene, uses: readonly Use[], actions: Actions): HTMLElement {
  const list = h('ol', { class: 'life' });
  for (const use of uses) {
    const graph = scene.graphs[use.graph]!;
    list.append(
      h(
        'li',
        { class: use.role },
        nodeLink(scene, use.graph, use.node, actions),
        ` ${useWord(use)} it`,
        h('span', { class: 'quiet' }, ` ${graph.name}`),
      ),
    );
  }
  return list;
}

function inspectOperation(scene: Scene, id: number, actions: Actions): Node[] {
  const operation = scene.operations[id]!;
  const lane = scene.lanes[operation.lane];
  const facts: (readonly [string, Child])[] = [
    ['where', lane?.name ?? '?'],
    ['result', operation.result],
  ];
  if (operation.nth !== undefined) facts.push(['launch', `number ${operation.nth} of its executable`]);
  facts.push(['used', `${formatBytes(operation.used)}, high ${formatBytes(operation.usedHigh)}`]);
  facts.push(['reserved', `${formatBytes(operation.reserved)}, high ${formatBytes(operation.reservedHigh)}`]);
  if (operation.remapped > 0) facts.push(['mapped', formatBytes(operation.remapped)]);
  if (operation.reason) facts.push(['because', operation.reason]);
  facts.push(['code', placeLink(operation.place, actions)]);
  const waits = operation.waitsFor.map((other) =>
    h('li', {}, `step ${other + 1}: ${scene.operations[other]?.label ?? ''}`),
  );
  return [
    heading(operation.label, `step ${id + 1} · ${operation.op}`),
    failed(operation) ? h('p', { class: 'refused' }, `✕ The driver refuses this call: ${operation.result}`) : null,
    rows(...facts),
    ...whatIfOfOperation(scene, operation, actions),
    ...(waits.length > 0 ? [h('h3', {}, 'Waits for'), h('ul', {}, ...waits)] : []),
    ...(operation.live.length > 0
      ? [
          h('h3', {}, 'Live afterwards'),
          h(
            'ul',
            { class: 'inline' },
            ...operation.live.map((one) => h('li', {}, allocationLink(scene, one, actions))),
          ),
        ]
      : []),
    ...findingsOf(scene, operation.findings, actions),
  ].filter((node) => node !== null);
}

function inspectFinding(scene: Scene, id: number, actions: Actions): Node[] {
  const finding = scene.findings[id]!;
  return [
    h(
      'p',
      { class: `rule-line ${finding.severity}` },
      h('span', { class: 'sign' }, severitySigns[finding.severity]),
      finding.rule,
    ),
    h('p', { class: 'message' }, ...prose(finding.message)),
    h('p', {}, h('span', { class: 'quiet' }, certaintyWords(finding)), placeLink(finding.place, actions)),
    ...witnessList(scene, finding, actions),
    ...relatedList(finding, actions),
  ];
}

function certaintyWords(finding: SceneFinding): string {
  return finding.certainty === 'always'
    ? `${finding.severity} · on every path · `
    : `${finding.severity} · may happen · `;
}

function witnessList(scene: Scene, finding: SceneFinding, actions: Actions): Node[] {
  if (finding.witness.length === 0) return [];
  const steps = finding.witness.map((step) => {
    const node =
      step.node === undefined || step.graph === undefined || !scene.graphs[step.graph]?.nodes[step.node]
        ? null
        : nodeLink(scene, step.graph, step.node, actions);
    return h(
      'li',
      {},
      h('div', {}, ...prose(step.message)),
      h('div', { class: 'quiet' }, node, node ? ' · ' : null, placeLink(step.place, actions)),
    );
  });
  return [h('h3', {}, 'How it happens'), h('ol', { class: 'witness' }, ...steps)];
}

function relatedList(finding: SceneFinding, actions: Actions): Node[] {
  if (finding.related.length === 0) return [];
  const items = finding.related.map((related) =>
    h(
      'li',
      {},
      h('span', { class: 'role' }, related.role),
      ' ',
      ...prose(related.message),
      ' ',
      placeLink(related.place, actions),
    ),
  );
  return [h('h3', {}, 'Where'), h('ul', { class: 'related' }, ...items)];
}

function findingsOf(scene: Scene, ids: readonly number[], actions: Actions): Node[] {
  const known = ids.filter((id) => scene.findings[id] !== undefined);
  return known.map((id) => findingCard(scene, scene.findings[id]!, id, actions));
}

function findingCard(scene: Scene, finding: SceneFinding, id: number, actions: Actions): HTMLElement {
  return h(
    'article',
    { class: `finding ${finding.severity}` },
    findingLink(scene, id, actions),
    h('p', {}, ...prose(finding.message)),
    placeLink(finding.place, actions),
  );
}

function heading(title: string, kind: string): HTMLElement {
  return h('header', { class: 'inspector-title' }, h('h2', {}, title), h('span', { class: 'quiet' }, kind));
}

function rows(...pairs: readonly (readonly [string, Child])[]): HTMLElement {
  const list = h('dl');
  for (const [name, value] of pairs) list.append(h('dt', {}, name), h('dd', {}, value));
  return list;
}

/** `1–3, 7`: consecutive numbers drawn together. */
export function ranges(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let index = 0; index < numbers.length; ) {
    let end = index;
    while (numbers[end + 1] === numbers[end]! + 1) end++;
    parts.push(index === end ? `${numbers[index]}` : `${numbers[index]}–${numbers[end]}`);
    index = end + 1;
  }
  return parts.join(', ');
}
