/**
 * Repairs: for each kind one program of the fixtures. The text with the repair applied is analysed again: the finding is
 * gone, and nothing new is reported.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding, Fix } from '../../../src/base/finding.ts';
import type { Analysis } from '../../../src/pipeline.ts';
import { analyseRepositoryFile, repository, testEngine } from '../../support/engine.ts';

type Row = readonly [fixture: string, rule: string, title: RegExp, added: RegExp];

const rows: readonly Row[] = [
  ['branching-count-too-small', 'graph-use-free-race', /depend on e/, /3|e/],
  ['branching-without-b-to-free', 'graph-use-free-race', /depend on b/, /b/],
  ['branching', 'graph-use-free-race', /depend on d/, /d/],
  ['checked-by-do-while', 'graph-use-free-race', /depend on read/, /read/],
  ['checked-by-assert', 'graph-use-free-race', /depend on read/, /read/],
  ['reuse-while-in-use', 'graph-use-free-race', /depend on use1/, /use1/],
  ['half-typed-call', 'graph-use-before-alloc', /depend on alloc/, /&alloc/],
  ['branching-free-twice', 'graph-double-free-node', /Remove the second free/, /^$/],
  ['events-freed-in-both-graphs', 'graph-free-in-two-graphs', /Remove this free/, /^$/],
  ['capture-free-before-join', 'graph-use-free-race', /wait/, /cudaStreamWaitEvent/],
  ['capture-without-join-wait', 'capture-unjoined', /Join/, /cudaStreamWaitEvent/],
  ['capture-without-join-record', 'capture-unjoined', /Join/, /cudaEventRecord/],
  ['capture-kernel-behind-free', 'graph-use-after-free', /Move the free/, /cudaFreeAsync/],
  ['events-kernel-before-wait', 'xgraph-use-unordered-with-alloc', /wait for allocStream/, /cudaStreamWaitEvent/],
  ['events-record-before-use', 'xgraph-use-free-race', /wait for stream2/, /cudaStreamWaitEvent/],
  ['one-stream-free-elsewhere', 'xgraph-use-free-race', /wait/, /cudaEventRecord/],
  ['one-stream-free-before-use', 'xgraph-use-after-free', /Move the free/, /cudaFreeAsync/],
  ['one-stream-freed-twice', 'xgraph-double-free', /Remove the second free/, /^$/],
  ['one-stream-never-freed', 'xgraph-alloc-leak', /Free .* after its last use/, /cudaFreeAsync/],
  ['one-stream-freed-by-host', 'xgraph-host-free-unsynchronised', /Synchronise/, /cudaStreamSynchronize/],
  ['one-stream-relaunched-alive', 'relaunch-with-live-allocation', /AutoFreeOnLaunch/, /AutoFreeOnLaunch/],
  ['auto-free-without-flag', 'relaunch-with-live-allocation', /AutoFreeOnLaunch/, /AutoFreeOnLaunch/],
  ['upload-to-another-stream', 'perf-upload-stream-mismatch', /Upload into stream/, /stream/],
  ['launch-in-changing-streams', 'perf-launch-stream-switch', /Launch in stream/, /stream/],
];

function applied(text: string, fix: Fix): string {
  const edits = [...fix.edits].sort((first, second) => second.span.start - first.span.start);
  return edits.reduce((done, { span, newText }) => done.slice(0, span.start) + newText + done.slice(span.end), text);
}

/** Findings without their places, which an edit moves. */
function counted(analysis: Analysis): Map<string, number> {
  const counts = new Map<string, number>();
  const keyOf = (finding: Finding): string => `${finding.rule}: ${finding.message}`;
  for (const finding of analysis.findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return counts;
}

describe('repairs', () => {
  it.each(rows)('%s: %s', async (fixture, rule, title, added) => {
    const file = `test/fixtures/${fixture}.cu`;
    const text = readFileSync(path.join(repository, file), 'utf8');
    const analysis = await analyseRepositoryFile(file);
    const finding = analysis.findings.find((each) => each.rule === rule);
    if (!finding) throw new Error(`${rule} is not reported in ${fixture}`);
    const fixes = analysis.fixes(finding);
    const fix = fixes.find((each) => title.test(each.title));
    expect(fix, `offered: ${fixes.map((each) => each.title).join('; ') || 'nothing'}`).toBeDefined();
    if (!fix) return;
    expect(fix.edits.map((edit) => edit.newText).join('\n')).toMatch(added);

    const before = counted(analysis);
    const after = counted((await testEngine()).analyse({ file, text: applied(text, fix), language: 'cuda' }));
    const key = `${finding.rule}: ${finding.message}`;
    expect(after.get(key) ?? 0).toBeLessThan(before.get(key) ?? 0);
    for (const [each, count] of after) expect(count, each).toBeLessThanOrEqual(before.get(each) ?? 0);
  });

  it('are offered for a missing dependency in each way to write the list', async () => {
    const engine = await testEngine();
    const program = (list: string, before = ''): string => `#include <cuda_runtime.h>
#include <vector>
__global__ void use(float *data) { data[0] = 1.0f; }
int main() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t alloc, first, last, release;
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 4096;
  cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
  void *arguments[] = {&params.dptr};
  cudaKernelNodeParams work = {(void *)use, 1, 1, 0, arguments, nullptr};
  cudaGraphAddKernelNode(&first, graph, &alloc, 1, &work);
  cudaGraphAddKernelNode(&last, graph, &first, 1, &work);
  ${before}
  cudaGraphAddMemFreeNode(&release, graph, ${list}, params.dptr);
}
`;
    const ways: readonly (readonly [string, string?])[] = [
      ['&first, 1'],
      ['list, 1', 'cudaGraphNode_t list[] = {first};'],
      ['list.data(), list.size()', 'std::vector<cudaGraphNode_t> list = {first};'],
      ['list.data(), list.size()', 'std::vector<cudaGraphNode_t> list; list.push_back(first);'],
      ['list, 2', 'cudaGraphNode_t list[2]; list[0] = alloc; list[1] = first;'],
    ];
    const without: string[] = [];
    for (const [list, before] of ways) {
      const text = program(list, before);
      const analysis = engine.analyse({ file: 'a.cu', text, language: 'cuda' });
      const finding = analysis.findings.find((each) => each.rule === 'graph-use-free-race');
      expect(finding, list).toBeDefined();
      const [fix] = finding ? analysis.fixes(finding) : [];
      if (!fix) without.push(`${before ?? ''} ${list}`);
      else expect(engine.analyse({ file: 'a.cu', text: applied(text, fix), language: 'cuda' }).findings).toEqual([]);
    }
    expect(without).toEqual([]);
  });
});
