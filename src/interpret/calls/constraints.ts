/** Whether a call gives a function template what it asks for, and how much that is. */

import type { Expression, FunctionDefinition } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findClass } from '../program-table.ts';
import { bind, createScope, type Scope } from '../scope.ts';
import { withTemplates } from '../types/class-templates.ts';
import { createCell, type TemplateBindings, truth } from '../value.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';
import { bindTemplates, type TemplateArguments } from './parameters.ts';

/** How much a satisfied concept counts: it only tells functions apart that fit alike. */
const forOne = 0.5;
const forEachPart = 0.01;

/** What the constraints of a function add to how well it fits; null where one does not hold. */
export function constraintScore(
  world: World,
  callerScope: Scope,
  definition: FunctionDefinition,
  values: readonly Argument[],
  given: TemplateArguments,
  own: TemplateBindings | null = null,
): number | null {
  const constraints = (definition.constraints ?? []).filter((each) => isConstraint(world, each));
  if (constraints.length === 0) return 0;
  const scope = createScope(world.globals);
  if (own) withTemplates(scope, own);
  bindTemplates(world, scope, callerScope, definition, values, given);
  // `void close(auto &&thing) requires Closable<decltype(thing)>`
  for (const [index, { name, type, isPack }] of definition.parameters.entries()) {
    const value = isPack ? undefined : values[index];
    const own = name === '' ? `#${index}` : name;
    if (value) bind(scope, own, createCell(own, value.value, type));
  }
  let score = forOne;
  for (const constraint of constraints) {
    const holds = truth(evaluate(world, scope, constraint));
    if (holds === false) return null;
    score += holds ? forEachPart * partsOf(world, constraint, 0) : -forOne;
  }
  return score;
}

/** `template <Kind K>` is a value of a type that is no concept. */
function isConstraint(world: World, constraint: Expression): boolean {
  return (
    constraint.kind !== 'name' ||
    /^std::(?:is_|(?:integral|floating_point|signed_integral|unsigned_integral|same_as|(?:regular_)?invocable)$)/.test(
      constraint.name,
    ) ||
    findClass(world.program, constraint.name)?.isConcept === true
  );
}

/** Of how many parts a constraint is made, those of its concepts included: one that is made of another one has more. */
function partsOf(world: World, constraint: Expression, depth: number): number {
  let parts = 1;
  if (depth < 8)
    someNode(constraint, (node) => {
      const concept = node.kind === 'name' ? findClass(world.program, node.name) : undefined;
      const initializer = concept?.isConcept ? concept.fields[0]?.initializer : null;
      if (initializer) parts += partsOf(world, initializer, depth + 1);
      else if (node.kind === 'binary' && node.operator === '&&') parts++;
      return false;
    });
  return parts;
}
