/** What both APIs tell about the structure of a graph, in the shapes of CUDA 11 to 13: since 12.3 with edge data before the count. */

import type { ModelFile, ModelRow } from './model.ts';

const row = (name: string, arity: number, effect: NonNullable<ModelRow['effects']>[number]): ModelRow => ({
  name,
  arity,
  returns: 'status',
  effects: effect.verb.startsWith('graph.')
    ? [effect, { verb: 'query.handles', type: 'graph', handles: ['arg0'] }]
    : [effect],
});

const rows = (prefix: 'cuda' | 'cu'): readonly ModelRow[] => [
  row(`${prefix}GraphGetRootNodes`, 3, {
    verb: 'graph.nodes',
    graph: 'arg0',
    list: 'arg1',
    count: '*arg2',
    roots: true,
  }),
  ...['', '_v2'].flatMap((version) => [
    ...[3, 4].flatMap((arity) => {
      const effect = { verb: 'node.neighbours', node: 'arg0', list: 'arg1', count: `*arg${arity - 1}` };
      return [
        row(`${prefix}GraphNodeGetDependencies${version}`, arity, effect),
        row(`${prefix}GraphNodeGetDependentNodes${version}`, arity, { ...effect, after: true }),
      ];
    }),
    ...[4, 5].map((arity) =>
      row(`${prefix}GraphGetEdges${version}`, arity, {
        verb: 'graph.edges',
        graph: 'arg0',
        from: 'arg1',
        to: 'arg2',
        count: `*arg${arity - 1}`,
      }),
    ),
  ]),
  ...['', '_v2'].map((version) =>
    row(`${prefix}GraphKernelNodeGetParams${version}`, 2, {
      verb: 'node.kernel',
      node: 'arg0',
      function: 'arg1.func',
      kernelArguments: 'arg1.kernelParams',
    }),
  ),
  row(`${prefix}GraphNodeFindInClone`, 3, { verb: 'node.inClone', target: '*arg0', node: 'arg1', graph: 'arg2' }),
];

export const graphStructureModel: ModelFile = { name: 'graph-structure', rows: [...rows('cuda'), ...rows('cu')] };
