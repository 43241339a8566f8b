/** The programs with the driver's verdict under `test/programs`, as typed data. `FORMAT.md` beside them says what is what. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from './engine.ts';

export interface ProgramNode {
  readonly kind: string;
  readonly bytes?: number;
}

export interface ProgramGraph {
  readonly graph: string;
  readonly exec: number;
  readonly rc: string;
  readonly line: number;
  readonly executed: boolean;
  readonly nodes: readonly ProgramNode[];
  readonly edges: readonly (readonly [number, number])[];
}

export interface PlantedMistake {
  readonly id: string;
  readonly severity: 'error' | 'hint';
  readonly line: number;
  readonly lines_ok: readonly number[];
}

export interface ProgramVerdict {
  readonly name: string;
  readonly cls: string | null;
  readonly bad: boolean;
  readonly twin: string | null;
  readonly exits_on_error: boolean;
  readonly graphs: readonly ProgramGraph[];
  readonly launches: readonly {
    readonly exec: number;
    readonly stream: string;
    readonly rc: string;
    readonly line: number;
    readonly executed: boolean;
  }[];
  readonly violations: readonly PlantedMistake[];
  readonly driver: {
    readonly graphs: readonly {
      readonly rc: string;
      readonly line: number;
      readonly nodes: readonly ProgramNode[];
      readonly edges: readonly (readonly [number, number])[];
    }[];
  };
}

export interface SuiteProgram {
  readonly name: string;
  /** Relative to the repository, as findings name it. */
  readonly file: string;
  readonly text: string;
  readonly verdict: ProgramVerdict;
}

const folder = path.join(repository, 'test', 'programs');

export const suitePrograms: readonly SuiteProgram[] = readdirSync(folder)
  .filter((file) => file.endsWith('.cu'))
  .sort()
  .map((file) => {
    const name = file.replace(/\.cu$/, '');
    const verdict: ProgramVerdict = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
    return { name, file: `test/programs/${file}`, text: readFileSync(path.join(folder, file), 'utf8'), verdict };
  });

/** Catalogue numbers that are right answers for a class of planted mistakes (the table of `FORMAT.md`). */
export const rightAnswers: Readonly<Record<string, readonly string[]>> = {
  'use-not-after-alloc': ['A1', 'L1'],
  'use-not-before-free': ['A3'],
  'use-after-free': ['A2', 'B3', 'L2'],
  'free-not-after-use': ['A3', 'B4', 'L3'],
  'double-free': ['A5', 'B6', 'B7', 'L5'],
  'stale-reuse': ['A2', 'B3', 'L2'],
  'cross-stream-use': ['B2', 'L1'],
  'cross-stream-free': ['B4', 'L3'],
  'consumer-unordered': ['B2'],
  'relaunch-unfreed': ['D1'],
  'free-before-alloc': ['A4', 'B1', 'B5', 'L4'],
  'double-instantiate': ['D8'],
  'clone-mem-nodes': ['E1'],
  'child-mem-nodes': ['E2'],
  leak: ['B9', 'D4', 'L7'],
  'capture-unjoined': ['C8'],
  'capture-forbidden-call': ['C1', 'C2', 'C3'],
  'event-too-early': ['B12', 'A17', 'B2', 'B4', 'L1', 'L3'],
  'capture-join-after-free': ['A3'],
  'upload-stream': ['G2'],
  'launch-stream-change': ['G1'],
  'missed-reuse': ['G4'],
};
