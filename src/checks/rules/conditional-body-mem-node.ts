/** E7: A body of a conditional node allocates or frees. */

import { type GraphModel, type GraphNode, hasMemoryNodes, innerGraphs } from '../../execution/execution.ts';
import { subjectOfCall } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const conditionalBodyMemNode = defineRule({
  id: 'conditional-body-mem-node',
  number: 'E7',
  group: 'E',
  severity: 'error',
  summary: 'A body of a conditional node allocates or frees.',
  why: 'The node is accepted. cudaGraphInstantiate of the whole graph then returns cudaErrorInvalidValue, far from the cause.',
  remedy: 'Allocate in the graph around it, before the conditional node, and free after it.',
  source: 'Recordings of memory nodes in bodies; CUDA Programming Guide, conditional node body graph requirements',
  bad: `
cudaGraphConditionalHandle condition;
cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault);
cudaGraphNodeParams branch = {cudaGraphNodeTypeConditional};
branch.conditional.handle = condition;
branch.conditional.type = cudaGraphCondTypeIf;
branch.conditional.size = 1;
cudaGraphAddNode(&next, graph, nullptr, nullptr, 0, &branch);
cudaGraph_t body = branch.conditional.phGraph_out[0];
cudaGraphAddMemAllocNode(&alloc, body, nullptr, 0, &params); //!
cudaGraphAddKernelNode(&use, body, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&release, body, &use, 1, params.dptr); //!
`,
  good: `
cudaGraphConditionalHandle condition;
cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault);
cudaGraphNodeParams branch = {cudaGraphNodeTypeConditional};
branch.conditional.handle = condition;
branch.conditional.type = cudaGraphCondTypeIf;
branch.conditional.size = 1;
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddNode(&next, graph, &alloc, nullptr, 1, &branch);
cudaGraph_t body = branch.conditional.phGraph_out[0];
cudaGraphAddKernelNode(&use, body, nullptr, 0, &work);
cudaGraphAddMemFreeNode(&release, graph, &next, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
`,
  check: (facts) =>
    facts.execution.graphs
      .filter((graph) => graph.inside === 'body')
      .flatMap((body) =>
        body.nodes.filter((node) => hasMemory(facts, node)).map((node) => violation(facts, body, node)),
      ),
});

function hasMemory({ execution }: Facts, node: GraphNode): boolean {
  const { kind } = node.operation;
  return (
    kind === 'memAlloc' ||
    kind === 'memFree' ||
    innerGraphs(execution, node).some((each) => hasMemoryNodes(execution, each))
  );
}

function violation(facts: Facts, body: GraphModel, node: GraphNode): Violation {
  const { api } = facts.trace.events[node.event]!;
  const does =
    node.operation.kind === 'memAlloc'
      ? 'allocates'
      : node.operation.kind === 'memFree'
        ? 'frees'
        : 'uses memory nodes';
  const refused = facts.execution.executables.find(
    (each) => each.result !== 'cudaSuccess' && each.graph === body.parent,
  );
  return {
    event: node.event,
    message: `${api} ${does} inside a body of a conditional node: the graph cannot be instantiated, cudaGraphInstantiate returns cudaErrorInvalidValue.`,
    certainty: 'always',
    related: [
      { role: 'conditional', event: body.event, message: 'the conditional node is added here' },
      ...(refused ? [{ role: 'inst', event: refused.event, message: 'instantiated here' }] : []),
    ],
    witness: [],
    repairs: [],
    subject: subjectOfCall(facts, node.event),
  };
}
