/** From repairs, in terms of the trace, to edits of the text. Whoever offers one has it verified first. */

import type { Fix } from '../../base/finding.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { eventOf } from '../facts.ts';
import type { Repair } from '../repair.ts';
import type { Report } from '../run.ts';
import { addDependencyFixes } from './add-dependency.ts';
import {
  dressed,
  type EditContext,
  freshName,
  indentOf,
  insertBefore,
  insertBehind,
  replace,
  sameFrame,
  streamText,
  textOf,
  wholeLines,
} from './source-edits.ts';

/** Candidate fixes of a report, best first; none of them is verified yet. */
export function candidateFixes(context: EditContext, report: Report): readonly Fix[] {
  return report.violation.repairs.flatMap((repair) => fixesOf(context, report, repair));
}

function fixesOf(context: EditContext, report: Report, repair: Repair): readonly Fix[] {
  if (repair.kind === 'addDependency')
    return addDependencyFixes(context, eventOf(report.facts, repair.from), eventOf(report.facts, repair.to));
  if (repair.kind === 'together') return together(repair.repairs.map((each) => fixesOf(context, report, each)[0]));
  const fix = toFix(context, report, repair);
  return fix ? [fix] : [];
}

/** The edits of all, when there is one for each. */
function together(parts: readonly (Fix | undefined)[]): readonly Fix[] {
  const fixes = parts.filter((part): part is Fix => part !== undefined);
  if (fixes.length < parts.length) return [];
  const titles = fixes.map((fix, index) =>
    index === 0 ? fix.title : fix.title.charAt(0).toLowerCase() + fix.title.slice(1),
  );
  return [{ title: titles.join(' and '), edits: fixes.flatMap((fix) => fix.edits) }];
}

function toFix(
  context: EditContext,
  report: Report,
  repair: Exclude<Repair, { kind: 'addDependency' | 'together' }>,
): Fix | null {
  const at = (index: number): TraceEvent => eventOf(report.facts, index);
  switch (repair.kind) {
    case 'recordAndWait':
      return recordAndWait(context, at(repair.after), at(repair.before));
    case 'moveBehind':
      return moveBehind(context, at(repair.event), at(repair.behind));
    case 'moveInFront':
      return moveInFront(context, at(repair.event), at(repair.front));
    case 'joinBeforeEnd':
      return joinBeforeEnd(context, at(repair.work), at(repair.end));
    case 'autoFreeOnLaunch':
      return autoFree(context, at(repair.instantiate));
    case 'uploadToLaunchStream': {
      const stream = streamText(context, at(repair.launch));
      const upload = at(repair.upload);
      // An instantiation that uploads names its stream in a structure.
      const span = /Upload/.test(upload.api) ? upload.arguments[1] : undefined;
      return stream && span ? { title: `Upload into ${stream}`, edits: [replace(span, stream)] } : null;
    }
    case 'launchInStreamOf': {
      const stream = streamText(context, at(repair.other));
      const span = at(repair.launch).arguments[1];
      return stream && span ? { title: `Launch in ${stream}`, edits: [replace(span, stream)] } : null;
    }
    case 'removeStatement':
      return { title: repair.title, edits: [replace(wholeLines(context, at(repair.event).statement), '')] };
    case 'synchroniseBefore': {
      const stream = streamText(context, at(repair.stream));
      const event = at(repair.event);
      return stream
        ? {
            title: `Synchronise with ${stream} first`,
            edits: [
              insertBefore(context, event.statement, [dressed(context, event, `cudaStreamSynchronize(${stream})`)]),
            ],
          }
        : null;
    }
    case 'freeAsyncInstead': {
      const stream = streamText(context, at(repair.streamOf));
      const event = at(repair.event);
      const pointer = textOf(context, event.arguments[0]);
      return stream && pointer
        ? {
            title: `Free in stream order, in ${stream}`,
            edits: [replace(event.span, `cudaFreeAsync(${pointer}, ${stream})`)],
          }
        : null;
    }
    case 'freeAsyncBehind': {
      const behind = at(repair.behind);
      const stream = streamText(context, behind) ?? streamText(context, at(repair.streamOf));
      const name = pointerText(context, report, repair.allocation, behind);
      return stream && name
        ? {
            title: `Free ${name} after its last use`,
            edits: [
              insertBehind(context, behind.statement, [dressed(context, behind, `cudaFreeAsync(${name}, ${stream})`)]),
            ],
          }
        : null;
    }
  }
}

/** An event recorded behind one call and waited for in front of the other. */
function recordAndWait(context: EditContext, after: TraceEvent, before: TraceEvent): Fix | null {
  const source = streamText(context, after);
  const target = streamText(context, before);
  if (
    !source ||
    !target ||
    source === target ||
    after.statement.file !== before.statement.file ||
    !sameFrame(after, before)
  )
    return null;
  const name = freshName(context, after.span.file, 'orderingEvent');
  return {
    title: `Let ${target} wait for ${source}`,
    edits: [
      insertBehind(context, after.statement, [
        `cudaEvent_t ${name};`,
        dressed(context, after, `cudaEventCreateWithFlags(&${name}, cudaEventDisableTiming)`),
        dressed(context, after, `cudaEventRecord(${name}, ${source})`),
      ]),
      insertBefore(context, before.statement, [dressed(context, before, `cudaStreamWaitEvent(${target}, ${name}, 0)`)]),
    ],
  };
}

/** The statement of one event moved behind that of another. */
export function moveBehind(context: EditContext, event: TraceEvent, behind: TraceEvent): Fix | null {
  if (!sameFrame(event, behind) || event.index >= behind.index || event.statement.file !== behind.statement.file)
    return null;
  const text = textOf(context, event.statement);
  const what = event.verb === 'node.add' || /^memory\.free/.test(event.verb) ? 'the free' : 'this';
  return {
    title: `Move ${what} after the last use`,
    edits: [
      replace(wholeLines(context, event.statement), ''),
      {
        span: { file: behind.statement.file, start: behind.statement.end, end: behind.statement.end },
        newText: `\n${indentOf(context, behind.statement)}${text}`,
      },
    ],
  };
}

/** How the allocation's pointer is written where `near` stands: as it was when it was allocated, or by its name. */
function pointerText(context: EditContext, report: Report, allocation: number, near: TraceEvent): string | null {
  const index = report.facts.execution.allocations[allocation]?.event ?? null;
  const made = index === null ? null : eventOf(report.facts, index);
  const written =
    made?.verb === 'memory.allocateAsync'
      ? /^(?:\([^()]*\)\s*)?&(.+)$/.exec(textOf(context, made.arguments[0]).trim())?.[1]
      : undefined;
  if (made && written && sameFrame(made, near)) return written;
  return report.facts.trace.allocations[allocation]?.name ?? null;
}

function moveInFront(context: EditContext, event: TraceEvent, front: TraceEvent): Fix | null {
  if (!sameFrame(event, front) || event.statement.file !== front.statement.file) return null;
  const text = textOf(context, event.statement);
  return {
    title: `Move ${event.api} in front of the capture`,
    edits: [insertBefore(context, front.statement, [text]), replace(wholeLines(context, event.statement), '')],
  };
}

function joinBeforeEnd(context: EditContext, work: TraceEvent, end: TraceEvent): Fix | null {
  const fork = streamText(context, work);
  const origin = streamText(context, end);
  if (!fork || !origin || !sameFrame(work, end)) return null;
  const name = freshName(context, end.span.file, 'joinEvent');
  return {
    title: `Join ${fork} before the capture ends`,
    edits: [
      insertBefore(context, end.statement, [
        `cudaEvent_t ${name};`,
        dressed(context, end, `cudaEventCreateWithFlags(&${name}, cudaEventDisableTiming)`),
        dressed(context, end, `cudaEventRecord(${name}, ${fork})`),
        dressed(context, end, `cudaStreamWaitEvent(${origin}, ${name}, 0)`),
      ]),
    ],
  };
}

export const autoFreeFlag = 'cudaGraphInstantiateFlagAutoFreeOnLaunch';

/** The flag added to the call that instantiates. */
export function autoFree(context: EditContext, event: TraceEvent): Fix | null {
  const title = 'Free automatically at the next launch (AutoFreeOnLaunch)';
  const [executable, graph, flags] = event.arguments;
  if (!executable || !graph || event.api === 'cudaGraphInstantiateWithParams') return null;
  if (event.arguments.length === 3 && flags) {
    const old = textOf(context, flags).trim();
    return {
      title,
      edits: [replace(flags, /^(?:0|NULL|nullptr)$/.test(old) ? autoFreeFlag : `${old} | ${autoFreeFlag}`)],
    };
  }
  const call = `cudaGraphInstantiateWithFlags(${textOf(context, executable)}, ${textOf(context, graph)}, ${autoFreeFlag})`;
  return { title, edits: [replace(event.span, call)] };
}
