/**
 * Programs of the kind people write, each compiled and run on a real GPU: the graphs that we read from the text are the
 * graphs that the driver reported, every planted mistake is found where a good tool reports it, and nothing is an error in
 * a program that has none.
 */

import { describe, expect, it } from 'vitest';
import { positionAt } from '../../src/base/source-text.ts';
import { rules } from '../../src/checks/rules/index.ts';
import type { Analysis, Engine } from '../../src/pipeline.ts';
import { type GraphDocument, graphDocument } from '../../src/scene/graph-document.ts';
import { testEngine } from '../support/engine.ts';
import { type ProgramVerdict, rightAnswers, type SuiteProgram, suitePrograms } from '../support/program-suite.ts';

const analyses = new Map<string, Analysis>();

function analyse(engine: Engine, program: SuiteProgram): Analysis {
  const known = analyses.get(program.name);
  if (known) return known;
  const analysis = engine.analyse({ file: program.file, text: program.text, language: 'cuda' });
  analyses.set(program.name, analysis);
  return analysis;
}

interface PlainGraph {
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
}

type RawGraph = {
  readonly nodes: readonly { readonly kind: string; readonly bytes?: number | null }[];
  readonly edges: readonly (readonly [number, number])[];
};

/** Kinds in creation order, allocations with their bytes, edges sorted. */
function plain(graph: RawGraph): PlainGraph {
  return {
    nodes: graph.nodes.map((node) => (node.kind === 'memAlloc' ? `memAlloc ${node.bytes}` : node.kind)),
    edges: [...graph.edges].map(([from, to]) => `${from}-${to}`).sort(),
  };
}

/** The driver's own graphs; where the program ended before, what the source says they would have been. */
function recordedGraphs(verdict: ProgramVerdict): readonly PlainGraph[] {
  return verdict.graphs
    .map((graph, index) => ({
      rc: graph.rc,
      shape: plain(graph.executed ? (verdict.driver.graphs[index] ?? graph) : graph),
    }))
    .filter((graph) => graph.rc === 'ok')
    .map((graph) => graph.shape);
}

/** Every launch with what it returned, also those that CUDA refuses. */
function ourLaunches(document: GraphDocument): readonly string[] {
  return document.launches.map((launch) => `${launch.graph} at ${launch.range.start.line}: ${launch.result}`);
}

function recordedLaunches(verdict: ProgramVerdict): readonly string[] {
  const successful = verdict.graphs.flatMap((graph) => (graph.rc === 'ok' ? [graph.exec] : []));
  return verdict.launches.map(
    (launch) =>
      `${successful.indexOf(launch.exec)} at ${launch.line}: ${launch.rc === 'ok' ? 'cudaSuccess' : launch.rc}`,
  );
}

describe('graphs', () => {
  it.each(suitePrograms.map((program) => [program.name, program] as const))(
    '%s: as the driver has them',
    async (_, program) => {
      const analysis = analyse(await testEngine(), program);
      const document = graphDocument(analysis.facts, analysis.sources, 'main');
      expect(document.graphs.filter((graph) => graph.instantiated).map(plain)).toEqual(recordedGraphs(program.verdict));
      expect(ourLaunches(document)).toEqual(recordedLaunches(program.verdict));
    },
  );
});

const numbers = new Map(rules.map((rule) => [rule.id, rule.number]));

interface PlainFinding {
  readonly number: string;
  readonly severity: string;
  readonly line: number;
}

function plainFindings(analysis: Analysis): readonly PlainFinding[] {
  return analysis.findings.map((finding) => {
    const source = analysis.sources.get(finding.span.file);
    const line = source ? positionAt(source, finding.span.start).line : 0;
    return { number: numbers.get(finding.rule) ?? '?', severity: finding.severity, line };
  });
}

describe('planted mistakes', () => {
  it.each(
    suitePrograms
      .filter((program) => program.verdict.bad)
      .map((program) => [program.name, program.verdict.cls, program] as const),
  )('%s: %s is found', async (_, cls, program) => {
    const right = rightAnswers[cls ?? ''] ?? [];
    const [planted] = program.verdict.violations;
    const findings = plainFindings(analyse(await testEngine(), program));
    const hits = findings.filter(({ number, line }) => right.includes(number) && planted?.lines_ok.includes(line));
    expect(
      hits,
      `expected ${right.join(' or ')} on ${planted?.lines_ok}; there is ${JSON.stringify(findings)}`,
    ).not.toEqual([]);
  });
});

describe('programs without a mistake', () => {
  it.each(suitePrograms.filter((program) => !program.verdict.bad).map((program) => [program.name, program] as const))(
    '%s: no error',
    async (_, program) => {
      const findings = plainFindings(analyse(await testEngine(), program));
      expect(findings.filter((finding) => finding.severity === 'error')).toEqual([]);
    },
  );
});
