/**
 * Test sections (Catch2 `SECTION`, doctest `SUBCASE`, `WHEN`, `THEN`): siblings are alternatives. The test's body runs once
 * for each of them, so one path has one of them.
 */

import { Attached } from '../base/attached.ts';
import type { Expression, Statement } from '../program/program.ts';
import { decide } from './choices/decisions.ts';
import { unknownValue } from './value.ts';
import type { World } from './world.ts';

const sectionNames = /^(?:SECTION|SUBCASE|DYNAMIC_SECTION|GIVEN|WHEN|AND_WHEN)$/;

/** Blocks of `body` that this run leaves out; null when there are no sections in it. */
export function omittedSections(world: World, body: readonly Statement[]): ReadonlySet<Statement> | null {
  const sections = sectionsOf(body);
  if (sections.length < 2) return null;
  const keyed = sections.filter(
    (each) => world.preset.get(`place ${each.span.file}:${each.span.start}:section`) === true,
  );
  const chosen = keyed[0] ?? sections[0];
  for (const each of sections)
    decide(
      world,
      unknownValue,
      each.span,
      each === chosen,
      false,
      'surely',
      { whenTrue: each, whenFalse: null },
      'section',
    );
  return new Set(sections.filter((each) => each !== chosen));
}

const cache = new Attached<readonly Statement[], readonly Statement[]>();

function sectionsOf(body: readonly Statement[]): readonly Statement[] {
  const known = cache.get(body);
  if (known) return known;
  const sections = body.filter((statement, index) => {
    const before = body[index - 1];
    return statement.kind === 'block' && before?.kind === 'expression' && isSectionHead(before.expression);
  });
  cache.set(body, sections);
  return sections;
}

function isSectionHead(expression: Expression): boolean {
  return expression.kind === 'call' && expression.callee.kind === 'name' && sectionNames.test(expression.callee.name);
}
