/** The facade, situation by situation; the numbers are those of the recorded experiments. */

import { describe, expect, it } from 'vitest';
import { createDriver, type DriverOptions, step } from '../../../src/driver/driver.ts';
import type { AddNode, Operation, Outcome } from '../../../src/driver/operations.ts';
import type { Driver } from '../../../src/driver/state.ts';

const MEBIBYTE = 1 << 20;
const BASE = 0x302000000;

function newDriver(options: DriverOptions = { workMicroseconds: 0 }): Driver {
  return createDriver(options);
}

function add(driver: Driver, graph: number, node: AddNode['node'], dependencies: readonly number[] = []): Outcome {
  if (!driver.graphs.has(graph)) step(driver, { kind: 'graphCreate', graph });
  return step(driver, { kind: 'addNode', graph, node, dependencies });
}

/** A graph with one allocation of so many MiB that it frees itself, instantiated under the same number. */
function simpleGraph(driver: Driver, graph: number, mebibytes: number, freed = true): void {
  add(driver, graph, { kind: 'alloc', allocation: graph, bytes: mebibytes * MEBIBYTE });
  add(driver, graph, { kind: 'other' }, [0]);
  if (freed) add(driver, graph, { kind: 'free', allocation: graph }, [1]);
  step(driver, { kind: 'instantiate', exec: graph, graph });
}

function mebibytes(outcome: Outcome): number[] {
  return outcome.memory.map((bytes) => bytes / MEBIBYTE);
}

function run(driver: Driver, ...operations: Operation[]): Outcome {
  const outcomes = operations.map((operation) => step(driver, operation));
  return outcomes.at(-1) as Outcome;
}

describe('addresses', () => {
  it('rounds every size up to 512 bytes', () => {
    const driver = newDriver();
    const sizes = [1, 511, 512, 513, 1023, 65_537, 2_097_153, 33_554_433, 1];
    const offsets = sizes.map((bytes, index) => {
      const dependencies = index === 0 ? [] : [index - 1];
      return (add(driver, 0, { kind: 'alloc', allocation: index, bytes }, dependencies).address ?? 0) - BASE;
    });
    expect(offsets).toEqual([0, 0x200, 0x400, 0x600, 0xa00, 0xe00, 0x11000, 0x211200, 0x2211400]);
  });

  it('joins the first arena with a block that fits; parallel frees do not merge', () => {
    const driver = newDriver();
    for (const size of [1, 2, 3]) add(driver, 0, { kind: 'alloc', allocation: size, bytes: size * MEBIBYTE });
    for (const size of [1, 2, 3]) add(driver, 0, { kind: 'free', allocation: size }, [size - 1]);
    const joined = add(driver, 0, { kind: 'alloc', allocation: 9, bytes: 3 * MEBIBYTE }, [3, 4, 5]);
    expect(joined.address).toBe(BASE + 0x300000);
  });

  it('grows behind other graphs at the top, and gives new graphs the smallest hole', () => {
    const driver = newDriver();
    for (const [graph, size] of [64, 1, 32, 1].entries())
      add(driver, graph, { kind: 'alloc', allocation: graph, bytes: size * MEBIBYTE });
    run(driver, { kind: 'destroyGraph', graph: 0 }, { kind: 'destroyGraph', graph: 2 });
    const offsets = [4, 5, 6].map(
      (graph) => (add(driver, graph, { kind: 'alloc', allocation: graph, bytes: 32 * MEBIBYTE }).address ?? 0) - BASE,
    );
    expect(offsets).toEqual([0x6000000, 0, 0x2000000]);
    const grown = add(driver, 1, { kind: 'alloc', allocation: 10, bytes: 40 * MEBIBYTE }, [0]);
    expect((grown.address ?? 0) - BASE).toBe(0xa000000);
  });

  it('lets an edge that is added later serve later nodes', () => {
    const driver = newDriver();
    add(driver, 0, { kind: 'alloc', allocation: 0, bytes: MEBIBYTE });
    add(driver, 0, { kind: 'free', allocation: 0 }, [0]);
    add(driver, 0, { kind: 'other' });
    const without = add(driver, 0, { kind: 'alloc', allocation: 1, bytes: MEBIBYTE }, [2]);
    step(driver, { kind: 'addDependencies', graph: 0, from: [1], to: [2] });
    const behind = add(driver, 0, { kind: 'alloc', allocation: 2, bytes: MEBIBYTE }, [2]);
    expect([without.address, behind.address]).toEqual([BASE + MEBIBYTE, BASE]);
  });

  it('keeps the ranges of two devices apart', () => {
    const driver = newDriver();
    const first = add(driver, 0, { kind: 'alloc', allocation: 0, bytes: MEBIBYTE, device: 0 });
    const second = add(driver, 0, { kind: 'alloc', allocation: 1, bytes: MEBIBYTE, device: 1 }, [0]);
    expect((second.address ?? 0) - (first.address ?? 0)).toBe(300_647_710_720);
  });
});

describe('physical memory', () => {
  it('counts touched blocks as used and whole chunks as reserved (pair33_33)', () => {
    const driver = newDriver();
    add(driver, 0, { kind: 'alloc', allocation: 0, bytes: 33 * MEBIBYTE });
    add(driver, 0, { kind: 'alloc', allocation: 1, bytes: 33 * MEBIBYTE }, [0]);
    add(driver, 0, { kind: 'free', allocation: 0 }, [1]);
    add(driver, 0, { kind: 'free', allocation: 1 }, [2]);
    step(driver, { kind: 'instantiate', exec: 0, graph: 0 });
    const launched = step(driver, { kind: 'launch', exec: 0, stream: 0 });
    expect(mebibytes(launched)).toEqual([96, 96, 128, 128]);
    expect([launched.mappedBytes / MEBIBYTE, launched.reason]).toEqual([128, 'firstUse']);
    expect(mebibytes(step(driver, { kind: 'trim' }))).toEqual([0, 96, 0, 128]);
  });

  it('shares blocks in one stream, and parts them when launches may overlap (twostreams_share)', () => {
    const driver = newDriver({ workMicroseconds: 2000 });
    simpleGraph(driver, 0, 64);
    simpleGraph(driver, 1, 64);
    run(driver, { kind: 'launch', exec: 0, stream: 0 });
    expect(mebibytes(step(driver, { kind: 'launch', exec: 1, stream: 0 }))).toEqual([64, 64, 64, 64]);
    const apart = run(
      driver,
      { kind: 'syncDevice' },
      { kind: 'launch', exec: 0, stream: 0 },
      { kind: 'launch', exec: 1, stream: 1 },
    );
    expect(mebibytes(apart)).toEqual([128, 128, 128, 128]);
    expect(apart.reason).toBe('concurrentGraph');
  });

  it('does not see an order that an event makes (event_order)', () => {
    const driver = newDriver({ workMicroseconds: 2000 });
    simpleGraph(driver, 0, 32);
    simpleGraph(driver, 1, 32);
    const second = run(
      driver,
      { kind: 'launch', exec: 0, stream: 0 },
      { kind: 'eventRecord', event: 0, stream: 0 },
      { kind: 'eventWait', event: 0, stream: 1 },
      { kind: 'launch', exec: 1, stream: 1 },
    );
    expect(mebibytes(second)).toEqual([64, 64, 64, 64]);
  });

  it('waits and reserves one block more when a graph in flight moves to another stream (reserve_stream)', () => {
    const driver = newDriver({ workMicroseconds: 1000 });
    add(driver, 0, { kind: 'alloc', allocation: 0, bytes: 33 * MEBIBYTE });
    add(driver, 0, { kind: 'alloc', allocation: 1, bytes: 33 * MEBIBYTE }, [0]);
    add(driver, 0, { kind: 'other' }, [1]);
    add(driver, 0, { kind: 'free', allocation: 0 }, [2]);
    add(driver, 0, { kind: 'free', allocation: 1 }, [3]);
    run(driver, { kind: 'instantiate', exec: 0, graph: 0 }, { kind: 'launch', exec: 0, stream: 0 });
    expect(mebibytes(step(driver, { kind: 'launch', exec: 0, stream: 1 }))).toEqual([96, 96, 160, 160]);
  });

  it('keeps what is pending or live through a trim, and says that the rest was trimmed (trim_partial)', () => {
    const driver = newDriver({ workMicroseconds: 2000 });
    simpleGraph(driver, 0, 160);
    simpleGraph(driver, 1, 64);
    run(driver, { kind: 'launch', exec: 0, stream: 0 }, { kind: 'syncDevice' });
    const trimmed = run(driver, { kind: 'launch', exec: 1, stream: 0 }, { kind: 'trim' });
    expect(mebibytes(trimmed)).toEqual([64, 160, 64, 160]);
    expect(trimmed.changes.filter((change) => change.kind === 'release').length).toBe(3);
    const again = run(driver, { kind: 'syncDevice' }, { kind: 'trim' }, { kind: 'launch', exec: 0, stream: 0 });
    expect([mebibytes(again), again.reason]).toEqual([[160, 160, 160, 160], 'trimmed']);
  });

  it('pins a block for an unfreed allocation of another graph (leak_destroy_all)', () => {
    const driver = newDriver();
    simpleGraph(driver, 0, 64, false);
    simpleGraph(driver, 1, 64);
    run(driver, { kind: 'launch', exec: 0, stream: 0 }, { kind: 'syncDevice' });
    run(driver, { kind: 'destroyExec', exec: 0 }, { kind: 'destroyGraph', graph: 0 }, { kind: 'trim' });
    expect(mebibytes(step(driver, { kind: 'launch', exec: 1, stream: 0 }))).toEqual([128, 128, 128, 128]);
    expect(mebibytes(run(driver, { kind: 'syncDevice' }, { kind: 'trim' }))).toEqual([64, 128, 64, 128]);
    expect(mebibytes(run(driver, { kind: 'free', allocation: 0 }, { kind: 'trim' }))).toEqual([0, 128, 0, 128]);
  });

  it('counts memory on the device where it lies (two_devices_one_graph)', () => {
    const driver = newDriver();
    add(driver, 0, { kind: 'alloc', allocation: 0, bytes: 64 * MEBIBYTE, device: 0 });
    add(driver, 0, { kind: 'alloc', allocation: 1, bytes: 96 * MEBIBYTE, device: 1 }, [0]);
    run(driver, { kind: 'instantiate', exec: 0, graph: 0 }, { kind: 'launch', exec: 0, stream: 0 });
    const highs = [0, 1].map((device) => mebibytes(step(driver, { kind: 'resetHighs', device })));
    expect(highs).toEqual([
      [64, 64, 64, 64],
      [96, 96, 96, 96],
    ]);
  });

  it('costs a block more for a moved child, in whose room the parent then allocates (c1, c3)', () => {
    const driver = newDriver();
    add(driver, 1, { kind: 'alloc', allocation: 1, bytes: 40 * MEBIBYTE });
    add(driver, 1, { kind: 'free', allocation: 1 }, [0]);
    add(driver, 0, { kind: 'child', child: 1, move: true });
    const second = add(driver, 0, { kind: 'alloc', allocation: 2, bytes: 40 * MEBIBYTE }, [0]);
    add(driver, 0, { kind: 'free', allocation: 2 }, [1]);
    const third = add(driver, 0, { kind: 'alloc', allocation: 3, bytes: 70 * MEBIBYTE }, [2]);
    add(driver, 0, { kind: 'free', allocation: 3 }, [3]);
    expect([second.address, third.address]).toEqual([BASE + 0x4000000, BASE + 0x4000000]);
    step(driver, { kind: 'instantiate', exec: 0, graph: 0 });
    expect(mebibytes(step(driver, { kind: 'launch', exec: 0, stream: 0 }))).toEqual([96, 96, 96, 96]);
  });
});

describe('refusals change nothing', () => {
  it('refuses sizes of nothing and of a tebibyte', () => {
    const driver = newDriver();
    expect(add(driver, 0, { kind: 'alloc', allocation: 0, bytes: 0 }).result).toBe('cudaErrorInvalidValue');
    expect(add(driver, 0, { kind: 'alloc', allocation: 0, bytes: 2 ** 40 }).result).toBe('cudaErrorMemoryAllocation');
    expect(add(driver, 0, { kind: 'alloc', allocation: 0, bytes: 1 }).address).toBe(BASE);
  });

  it('refuses the second free node, whoever comes first', () => {
    const driver = newDriver();
    add(driver, 0, { kind: 'alloc', allocation: 0, bytes: 1 });
    expect(add(driver, 1, { kind: 'free', allocation: 0 }).result).toBe('cudaSuccess');
    expect(add(driver, 0, { kind: 'free', allocation: 0 }, [0]).result).toBe('cudaErrorInvalidValue');
    expect(add(driver, 2, { kind: 'free', allocation: 0 }).result).toBe('cudaSuccess');
  });

  it('refuses a second executable, a clone and a child by clone', () => {
    const driver = newDriver();
    simpleGraph(driver, 0, 1);
    step(driver, { kind: 'graphCreate', graph: 1 });
    const refused = [
      step(driver, { kind: 'instantiate', exec: 7, graph: 0 }),
      step(driver, { kind: 'cloneGraph', graph: 0, clone: 9 }),
      add(driver, 1, { kind: 'child', child: 0, move: false }),
      add(driver, 1, { kind: 'child', child: 0, move: true }),
    ].map((outcome) => outcome.result);
    expect(refused).toEqual(Array(4).fill('cudaErrorNotSupported'));
  });

  it('refuses a launch over a live allocation until its free is enqueued', () => {
    const driver = newDriver({ workMicroseconds: 1000 });
    simpleGraph(driver, 0, 1, false);
    const results = [
      step(driver, { kind: 'launch', exec: 0, stream: 0 }),
      step(driver, { kind: 'launch', exec: 0, stream: 0 }),
      step(driver, { kind: 'freeAsync', allocation: 0, stream: 1 }),
      step(driver, { kind: 'launch', exec: 0, stream: 0 }),
      step(driver, { kind: 'free', allocation: 0 }),
      step(driver, { kind: 'free', allocation: 0 }),
    ].map((outcome) => outcome.result);
    const [ok, bad] = ['cudaSuccess', 'cudaErrorInvalidValue'];
    expect(results).toEqual([ok, bad, ok, ok, ok, bad]);
  });

  it('refuses a graph that frees what has not been allocated (crossfree)', () => {
    const driver = newDriver();
    simpleGraph(driver, 0, 40, false);
    add(driver, 1, { kind: 'free', allocation: 0 });
    step(driver, { kind: 'instantiate', exec: 1, graph: 1 });
    const results = [1, 0, 1, 1].map((exec) => step(driver, { kind: 'launch', exec, stream: 0 }).result);
    const [ok, bad] = ['cudaSuccess', 'cudaErrorInvalidValue'];
    expect(results).toEqual([bad, ok, ok, bad]);
  });

  it('finds a cycle when the graph is instantiated', () => {
    const driver = newDriver();
    add(driver, 0, { kind: 'other' });
    add(driver, 0, { kind: 'other' }, [0]);
    expect(step(driver, { kind: 'addDependencies', graph: 0, from: [1], to: [0] }).result).toBe('cudaSuccess');
    expect(step(driver, { kind: 'instantiate', exec: 0, graph: 0 }).result).toBe('cudaErrorInvalidValue');
  });

  it('hands an updated executable the other graph (exec_update_stale_ptr)', () => {
    const driver = newDriver();
    simpleGraph(driver, 0, 1, false);
    add(driver, 1, { kind: 'alloc', allocation: 1, bytes: MEBIBYTE });
    add(driver, 1, { kind: 'other' }, [0]);
    const results = [
      step(driver, { kind: 'updateExec', exec: 0, graph: 1 }),
      step(driver, { kind: 'launch', exec: 0, stream: 0 }),
      step(driver, { kind: 'free', allocation: 0 }),
      step(driver, { kind: 'free', allocation: 1 }),
    ].map((outcome) => outcome.result);
    expect(results).toEqual(['cudaSuccess', 'cudaSuccess', 'cudaErrorInvalidValue', 'cudaSuccess']);
  });
});
