/**
 * Elk from the page's side: asks the worker for a layered layout and reads the answer. A webview may not start a worker from
 * its own resource address, so the script is fetched (or found in the page) and started from a blob. Every failure, a worker
 * that cannot start or an answer that takes too long, is an `undefined` layout: the caller has a simple one at hand.
 */

import type { LayoutInput, LayoutResult, Point } from './layout-types.ts';

export interface ElkLayouter {
  layout(input: LayoutInput): Promise<LayoutResult | undefined>;
}

const patience = 8000;

/** `source` gives the worker's script text. */
export function createElkLayouter(source: () => Promise<string>): ElkLayouter {
  let worker: Promise<Worker | undefined> | undefined;
  let nextId = 1;
  const ask = async (message: object): Promise<unknown> => {
    worker ??= startWorker(source);
    const running = await worker;
    if (!running) return undefined;
    const id = nextId++;
    return new Promise((resolve) => {
      const done = (answer: unknown): void => {
        clearTimeout(timer);
        running.removeEventListener('message', listen);
        resolve(answer);
      };
      const listen = (event: MessageEvent): void => {
        if (event.data?.id === id) done(event.data.data);
      };
      const timer = setTimeout(() => {
        running.terminate();
        worker = undefined;
        done(undefined);
      }, patience);
      running.addEventListener('message', listen);
      running.postMessage({ id, ...message });
    });
  };
  return {
    async layout(input) {
      const answer = await ask({ cmd: 'layout', graph: toElk(input), layoutOptions: {}, options: {} });
      return fromElk(input, answer);
    },
  };
}

async function startWorker(source: () => Promise<string>): Promise<Worker | undefined> {
  try {
    const url = URL.createObjectURL(new Blob([await source()], { type: 'text/javascript' }));
    const worker = new Worker(url);
    const alive = await new Promise<boolean>((resolve) => {
      worker.addEventListener('error', () => resolve(false), { once: true });
      worker.addEventListener('message', () => resolve(true), { once: true });
      worker.postMessage({ id: 0, cmd: 'register', algorithms: ['layered'] });
      setTimeout(() => resolve(false), patience);
    });
    URL.revokeObjectURL(url);
    return alive ? worker : undefined;
  } catch {
    return undefined;
  }
}

/** Large graphs get elk's quick strategies: a picture now is worth more than a few crossings fewer. */
function elkOptions(nodes: number): Readonly<Record<string, string>> {
  const common = {
    'elk.algorithm': 'layered',
    'elk.direction': 'DOWN',
    'elk.edgeRouting': 'ORTHOGONAL',
    'elk.spacing.nodeNode': '28',
    'elk.spacing.componentComponent': '44',
    'elk.spacing.edgeNode': '18',
    'elk.spacing.edgeEdge': '10',
    'elk.layered.spacing.nodeNodeBetweenLayers': '46',
    'elk.layered.spacing.edgeNodeBetweenLayers': '16',
    'elk.layered.mergeEdges': 'true',
    'elk.layered.considerModelOrder.strategy': 'PREFER_NODES',
    'elk.aspectRatio': '1.5',
    'elk.padding': '[top=0,left=0,bottom=0,right=0]',
  };
  if (nodes <= 120) {
    return { ...common, 'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX', 'elk.layered.thoroughness': '10' };
  }
  return { ...common, 'elk.layered.nodePlacement.strategy': 'SIMPLE', 'elk.layered.thoroughness': '1' };
}

/** Elk's graph; ids are positions, so that no name of the user's program reaches elk. */
export function toElk(input: LayoutInput): object {
  const ids = new Map(input.nodes.map((node, index) => [node.key, `n${index}`]));
  return {
    id: 'root',
    layoutOptions: elkOptions(input.nodes.length),
    children: input.nodes.map((node, index) => ({ id: `n${index}`, width: node.width, height: node.height })),
    edges: input.edges.map((edge, index) => ({
      id: `e${index}`,
      sources: [ids.get(edge.from)],
      targets: [ids.get(edge.to)],
    })),
  };
}

interface ElkAnswer {
  readonly width: number;
  readonly height: number;
  readonly children: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly edges?: readonly {
    readonly id: string;
    readonly sections?: readonly { startPoint: Point; endPoint: Point; bendPoints?: readonly Point[] }[];
  }[];
}

/** Elk's answer in our terms; undefined when it is not one. */
export function fromElk(input: LayoutInput, answer: unknown): LayoutResult | undefined {
  if (!isElkAnswer(answer)) return undefined;
  const nodes = new Map<string, Point>();
  for (const child of answer.children) {
    const node = input.nodes[Number(child.id.slice(1))];
    if (node) nodes.set(node.key, { x: child.x, y: child.y });
  }
  if (nodes.size !== input.nodes.length) return undefined;
  const edges: (readonly Point[])[] = input.edges.map(() => []);
  for (const edge of answer.edges ?? []) {
    const section = edge.sections?.[0];
    if (section)
      edges[Number(edge.id.slice(1))] = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  }
  return { width: answer.width, height: answer.height, nodes, edges, lanes: [] };
}

function isElkAnswer(answer: unknown): answer is ElkAnswer {
  return typeof answer === 'object' && answer !== null && 'children' in answer && Array.isArray(answer.children);
}
