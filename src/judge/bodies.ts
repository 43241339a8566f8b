/** What results hang on in the bodies that their runs have read, as texts that stay the same when the bodies only move. */

import type { Span } from '../base/span.ts';
import type { ProgramTable } from '../interpret/program-table.ts';
import { type Uneventful, uneventfulChoices } from '../interpret/uneventful.ts';
import type { FunctionDefinition } from '../program/program.ts';

type ByBody = ReadonlyMap<object, readonly FunctionDefinition[]>;

/** Functions that the host runs, by the identity of their bodies. */
export function definitionsByBody(program: ProgramTable): ByBody {
  const all = new Map<object, readonly FunctionDefinition[]>();
  for (const definition of program.allFunctions()) {
    const { body, isKernel, isDevice } = definition;
    if (body && !isKernel && !isDevice) all.set(body.identity, [...(all.get(body.identity) ?? []), definition]);
  }
  return all;
}

/** Which choices are taken to make no difference to a run that has read these bodies: where each is asked about, from the start of its function. */
export function uneventfulIn(byBody: () => ByBody, uneventful: Uneventful): (bodies: ReadonlySet<object>) => string {
  const choices = uneventfulChoices(uneventful);
  if (choices.length === 0) return () => '';
  const definitions = [...byBody().values()].flat();
  const functionAround = ({ file, start }: Span): FunctionDefinition | undefined =>
    definitions.find(({ span }) => span.file === file && start >= span.start && start < span.end);
  const placed = choices.map((places) => places.map((span) => ({ span, around: functionAround(span) })));
  return (bodies) => {
    const indexOf = new Map(
      [...bodies].flatMap((body, index) => (byBody().get(body) ?? []).map((each) => [each, index])),
    );
    const told = ({ span, around }: (typeof placed)[number][number]): string =>
      around ? `${indexOf.get(around) ?? '-'}:${span.start - around.span.start}` : `${span.file}:${span.start}`;
    return placed
      .filter((places) => places.some(({ around }) => !around || indexOf.has(around)))
      .map((places) => places.map(told).sort().join(' '))
      .sort()
      .join(',');
  };
}
