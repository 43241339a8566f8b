/**
 * Test sections (Catch2 `SECTION`, doctest `SUBCASE`, `WHEN`, `THEN`): siblings are alternatives. The test's body runs once
 * for each of them, so one path has one of them.
 */

import { Attached } from '../base/attached.ts';
import type { Expression, FunctionDefinition, Statement } from '../program/program.ts';
import { decide } from './choices/decisions.ts';
import type { Scope } from './scope.ts';
import { unknownValue } from './value.ts';
import type { World } from './world.ts';

const sectionNames = /^(?:SECTION|SUBCASE|DYNAMIC_SECTION|GIVEN|WHEN|AND_WHEN)$/;

/** What there is to know of a block before it is run. */
interface BlockParts {
  /** Functions that are declared in it. */
  readonly functions: readonly FunctionDefinition[];
  /** The test sections in it. */
  readonly sections: readonly Statement[];
}

/** Those of the sections of a block that this run leaves out. */
export function omittedSections(world: World, sections: readonly Statement[]): ReadonlySet<Statement> {
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

const cache = new Attached<readonly Statement[], BlockParts>();

export function partsOfBlock(body: readonly Statement[]): BlockParts {
  const known = cache.get(body);
  if (known) return known;
  const functions = body.flatMap((statement) => (statement.kind === 'function' ? [statement.definition] : []));
  const sections = body.filter((statement, index) => {
    const before = body[index - 1];
    return statement.kind === 'block' && before?.kind === 'expression' && isSectionHead(before.expression);
  });
  const parts = { functions, sections };
  cache.set(body, parts);
  return parts;
}

function isSectionHead(expression: Expression): boolean {
  return expression.kind === 'call' && expression.callee.kind === 'name' && sectionNames.test(expression.callee.name);
}

/** Functions that a block declares are known all over it. */
export function declareFunctions(scope: Scope, functions: readonly FunctionDefinition[]): void {
  scope.functions ??= new Map();
  for (const definition of functions) scope.functions.set(definition.name, definition);
}
