/** Statements of C++ to the host program's. */

import type { ClassDefinition, Expression, Statement } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { declaredArrayPointer } from './array-pointers.ts';
import { type LowerContext, noteUnread, spanOf, textOf } from './lower-context.ts';
import {
  lowerAliases,
  lowerDeclaration,
  lowerEnumerators,
  lowerNamespaceAlias,
  lowerUsing,
} from './lower-declarations.ts';
import { lowerExpression } from './lower-expressions.ts';
import { isClassSpecifier, lowerClass, lowerParameters } from './lower-functions.ts';
import { lowerAssumptions, lowerZeroAssignment } from './lower-rare.ts';
import { lowerInnerCase, lowerSwitch } from './lower-switch.ts';
import { noTemplate } from './lower-templates.ts';
import { applyDeclarator, lowerDeclarator, lowerType } from './lower-types.ts';
import { computedGoto } from './rare-words.ts';
import { unlessTooDeep } from './too-deep.ts';
import { calledElement } from './vexing-arguments.ts';

/** The statements of a compound statement. */
export function lowerBody(context: LowerContext, node: SyntaxNode): Statement[] {
  return namedChildren(node).flatMap((child) => unlessTooDeep(context, child, () => lowerStatement(context, child)));
}

function lowerSingle(context: LowerContext, node: SyntaxNode | undefined, parent: SyntaxNode): Statement {
  if (!node) return { kind: 'block', body: [], span: spanOf(context, parent) };
  const body = lowerStatement(context, node);
  return body.length === 1 ? body[0]! : { kind: 'block', body, span: spanOf(context, node) };
}

/** One statement may be several, as a declaration of a class and of a variable is. */
export function lowerStatement(context: LowerContext, node: SyntaxNode): Statement[] {
  const span = spanOf(context, node);
  switch (node.type) {
    case 'expression_statement': {
      const expression = namedChildren(node)[0];
      const declared = expression && declaredArrayPointer(context, expression);
      if (declared) return [{ kind: 'declare', declarations: [declared], span }];
      if (!expression) return [];
      const lowered = lowerExpression(context, expression);
      const isJump =
        lowered.kind === 'assign' && lowered.target.kind === 'name' && lowered.target.name === computedGoto;
      if (isJump) return [{ kind: 'goto', label: '', to: lowered.value, span }];
      return [{ kind: 'expression', expression: lowered, span }];
    }
    case 'declaration':
      return lowerDeclarationStatement(context, node);
    case 'compound_statement':
      return [{ kind: 'block', body: lowerBody(context, node), span }];
    case 'if_statement':
      return [lowerIf(context, node)];
    case 'while_statement':
    case 'do_statement':
      return [lowerWhile(context, node)];
    case 'for_statement':
      return [lowerFor(context, node)];
    case 'for_range_loop':
      return [lowerForEach(context, node)];
    case 'switch_statement':
      return [lowerSwitch(context, node)];
    case 'case_statement':
      return lowerInnerCase(context, node);
    case 'return_statement':
    case 'co_return_statement': {
      const value = namedChildren(node)[0];
      const isPlace = value?.type === 'parenthesized_expression';
      const returned = value ? lowerExpression(context, value) : null;
      if (node.type === 'co_return_statement') {
        const callee: Expression = { kind: 'name', name: 'co_return', span };
        const given = returned ? [returned] : [];
        return [
          { kind: 'return', value: { kind: 'call', callee, templateArguments: [], arguments: given, span }, span },
        ];
      }
      return [isPlace ? { kind: 'return', value: returned, isPlace, span } : { kind: 'return', value: returned, span }];
    }
    case 'break_statement':
      return [{ kind: 'break', span }];
    case 'continue_statement':
      return [{ kind: 'continue', span }];
    case 'try_statement':
      return [lowerTry(context, node)];
    case 'throw_statement':
    case 'co_yield_statement':
      return [{ kind: 'expression', expression: lowerExpression(context, node), span }];
    case 'statement_identifier':
      return [{ kind: 'label', name: textOf(context, node), span }];
    case 'labeled_statement':
    case 'attributed_statement':
      return namedChildren(node).flatMap((child) =>
        child.type === 'attribute_declaration' ? lowerAssumptions(context, child) : lowerStatement(context, child),
      );
    case 'struct_specifier':
    case 'class_specifier':
    case 'union_specifier':
      return localClasses(context, node);
    case 'enum_specifier':
      return lowerEnumerators(context, node);
    case 'else_clause':
      return namedChildren(node).flatMap((child) => lowerStatement(context, child));
    case 'alias_declaration':
    case 'type_definition': {
      const inner = childByField(node, 'type');
      return [
        ...(inner && isClassSpecifier(inner) ? localClasses(context, inner) : []),
        ...lowerAliases(context, node).map(([name, type]): Statement => ({ kind: 'alias', name, type, span })),
      ];
    }
    case 'namespace_alias_definition': {
      const alias = lowerNamespaceAlias(context, node);
      return alias ? [{ kind: 'alias', name: alias[0], type: alias[1], span }] : [];
    }
    case 'using_declaration': {
      // `using std::swap;`: a method of that name is not meant.
      const named = /^using\s+(std::(\w+))\s*;$/.exec(textOf(context, node));
      if (named) return [{ kind: 'alias', name: named[2]!, type: typeNamed(named[1]!), span }];
      return lowerUsing(context, node);
    }
    case 'static_assert_declaration':
    case 'comment':
    case 'empty_statement':
    case 'preproc_call':
    case 'preproc_def':
      return [];
    case 'goto_statement': {
      const label = childByField(node, 'label');
      return [{ kind: 'goto', label: label ? textOf(context, label) : '', span }];
    }
    case 'function_definition': {
      const assignment = lowerZeroAssignment(context, node);
      if (assignment) return [assignment];
      const block = lowerUnknownBlock(context, node);
      if (block) return [block];
      noteUnread(context, node, node.type);
      return [{ kind: 'unknown', what: node.type, parts: [], span }];
    }
    case 'ERROR':
      noteUnread(context, node, 'syntax the parser does not know');
      return [{ kind: 'unknown', what: 'syntax error', parts: recoveredCalls(context, node), span }];
    default:
      if (node.type.endsWith('expression') || node.type === 'identifier')
        return [{ kind: 'expression', expression: lowerExpression(context, node), span }];
      noteUnread(context, node, node.type);
      return [{ kind: 'unknown', what: node.type, parts: [], span }];
  }
}

const soundsLikeLoop = /for_?each|(?:^|_)for_|loop/i;
/** `SCOPE(fail) { … }`, `DEFER { … }`: for when what is around it ends, if at all. */
const soundsLikeEnd = /scope|defer|exit|fail|final|guard|clean|unwind/i;

/**
 * `foreach (cell, list) { … }`, `WITH_LOCK(mutex) { … }`: a block behind a macro that nobody has seen. One that is called after a loop
 * goes on as long as it says; another one runs its block or does not.
 */
function lowerUnknownBlock(context: LowerContext, node: SyntaxNode): Statement | null {
  const declarator = childByField(node, 'declarator');
  const callee = declarator && childByField(declarator, 'declarator');
  const parameters = declarator && childByField(declarator, 'parameters');
  const body = childByField(node, 'body');
  if (callee?.type !== 'identifier' || !parameters || !body || childByField(node, 'type')) return null;
  const span = spanOf(context, node);
  const name = textOf(context, callee);
  if (soundsLikeEnd.test(name)) return null;
  const condition: Expression = {
    kind: 'call',
    callee: { kind: 'name', name, span: spanOf(context, callee) },
    templateArguments: [],
    arguments: namedChildren(parameters).flatMap((each): Expression[] => {
      const given = textOf(context, each);
      return /^[A-Za-z_]\w*$/.test(given) ? [{ kind: 'name', name: given, span: spanOf(context, each) }] : [];
    }),
    span: spanOf(context, declarator),
  };
  const block: Statement = { kind: 'block', body: lowerBody(context, body), span: spanOf(context, body) };
  if (!soundsLikeLoop.test(name))
    return { kind: 'if', initializer: null, condition, whenTrue: block, whenFalse: null, span };
  return { kind: 'loop', initializer: null, condition, update: null, body: block, bodyFirst: false, span };
}

/** Calls inside an `ERROR` node that still parsed whole. */
function recoveredCalls(context: LowerContext, node: SyntaxNode): Expression[] {
  return node.children
    .filter((child) => child.type === 'call_expression')
    .map((child) => lowerExpression(context, child));
}

function lowerDeclarationStatement(context: LowerContext, node: SyntaxNode): Statement[] {
  const span = spanOf(context, node);
  const out: Statement[] = [];
  const type = childByField(node, 'type');
  const called = calledElement(context, node);
  if (called) return [{ kind: 'expression', expression: lowerExpression(context, called), span }];
  if (type && isClassSpecifier(type)) out.push(...localClasses(context, type));
  if (type?.type === 'enum_specifier') out.push(...lowerEnumerators(context, type));
  const initializer = childByField(node, 'declarator');
  const binding = initializer ? findBinding(initializer) : undefined;
  if (initializer && binding) {
    const value = childByField(initializer, 'value');
    if (value)
      out.push({
        kind: 'destructure',
        names: namedChildren(binding).map((child) => ({ name: textOf(context, child), field: null })),
        value: lowerExpression(context, value),
        isReference: childByField(initializer, 'declarator')?.type === 'reference_declarator',
        span,
      });
    return out;
  }
  const declarations = lowerDeclaration(context, node, true);
  if (declarations.length > 0) out.push({ kind: 'declare', declarations, span });
  return out;
}

/** A class defined inside a function, behind those nested in it. */
function localClasses(context: LowerContext, node: SyntaxNode): Statement[] {
  const nested: ClassDefinition[] = [];
  const definition = lowerClass(context, node, noTemplate, nested);
  return [...nested, ...(definition ? [definition] : [])].map((each) => ({
    kind: 'class',
    definition: each,
    span: each.span,
  }));
}

function findBinding(node: SyntaxNode): SyntaxNode | undefined {
  const declarator = childByField(node, 'declarator');
  if (declarator?.type === 'structured_binding_declarator') return declarator;
  return declarator ? childOfType(declarator, 'structured_binding_declarator') : undefined;
}

/** What stands between the parentheses of `if`, `while` and `switch`: `(f())`, `(int n = 1; n > 0)`, `(auto e = f())`. */
interface Condition {
  readonly setup: Statement | null;
  readonly test: Expression;
  /** The test declares a variable: it is made anew each time. */
  readonly declares: boolean;
}

export function lowerCondition(context: LowerContext, node: SyntaxNode): Condition {
  const condition = childByField(node, 'condition');
  const initializer = condition ? childByField(condition, 'initializer') : undefined;
  const value = condition ? (childByField(condition, 'value') ?? condition) : undefined;
  const setup = initializer ? lowerSingle(context, namedChildren(initializer)[0], initializer) : null;
  if (!value) return { setup, test: unknownAt(context, node, 'condition'), declares: false };
  if (value.type !== 'declaration') return { setup, test: lowerExpression(context, value), declares: false };
  const declared = lowerDeclarator(context, childByField(value, 'declarator'));
  const initial = childByField(value, 'value');
  const span = spanOf(context, value);
  if (!declared.name || !initial) return { setup, test: unknownAt(context, value, 'declaration'), declares: false };
  const declaration: Statement = {
    kind: 'declare',
    declarations: [
      {
        name: declared.name,
        type: applyDeclarator(lowerType(context, value), declared),
        initializer: lowerExpression(context, initial),
        constructorArguments: null,
        isStatic: false,
        span,
      },
    ],
    span,
  };
  return { setup: declaration, test: { kind: 'name', name: declared.name, span }, declares: true };
}

function unknownAt(context: LowerContext, node: SyntaxNode, what: string): Expression {
  return { kind: 'unknown', what, parts: [], span: spanOf(context, node) };
}

function lowerIf(context: LowerContext, node: SyntaxNode): Statement {
  const alternative = childByField(node, 'alternative');
  const { setup, test } = lowerCondition(context, node);
  return {
    kind: 'if',
    initializer: setup,
    condition: test,
    whenTrue: lowerSingle(context, childByField(node, 'consequence'), node),
    whenFalse: alternative ? lowerSingle(context, alternative, node) : null,
    span: spanOf(context, node),
  };
}

function lowerWhile(context: LowerContext, node: SyntaxNode): Statement {
  const span = spanOf(context, node);
  const { setup, test, declares } = lowerCondition(context, node);
  const written = lowerSingle(context, childByField(node, 'body'), node);
  // `while (T x = f()) body` is `for (;;) { if (T x = f()) body else break; }`.
  const body: Statement = declares
    ? {
        kind: 'if',
        initializer: setup,
        condition: test,
        whenTrue: written,
        whenFalse: { kind: 'break', span: test.span },
        span,
      }
    : written;
  return {
    kind: 'loop',
    initializer: null,
    condition: declares ? null : test,
    update: null,
    body,
    bodyFirst: node.type === 'do_statement',
    span,
  };
}

function lowerFor(context: LowerContext, node: SyntaxNode): Statement {
  const initializer = childByField(node, 'initializer');
  const condition = childByField(node, 'condition');
  const update = childByField(node, 'update');
  const pointer = initializer && declaredArrayPointer(context, initializer);
  const declared = pointer && { kind: 'declare' as const, declarations: [pointer], span: pointer.span };
  return {
    kind: 'loop',
    initializer: declared ?? (initializer ? lowerSingle(context, initializer, node) : null),
    condition: condition ? lowerExpression(context, condition) : null,
    update: update ? lowerExpression(context, update) : null,
    body: lowerSingle(context, childByField(node, 'body'), node),
    bodyFirst: false,
    span: spanOf(context, node),
  };
}

/** `for (int i = 0; auto x : range)` is a block of the declaration and the loop. */
function lowerForEach(context: LowerContext, node: SyntaxNode): Statement {
  const initializer = childByField(node, 'initializer');
  const loop = lowerRangeLoop(context, node);
  if (!initializer) return loop;
  const before = namedChildren(initializer).flatMap((child) => lowerStatement(context, child));
  return { kind: 'block', body: [...before, loop], span: loop.span };
}

function lowerRangeLoop(context: LowerContext, node: SyntaxNode): Statement {
  const declarator = childByField(node, 'declarator');
  const range = childByField(node, 'right');
  const binding = findBinding(node);
  const declared = lowerDeclarator(context, declarator);
  return {
    kind: 'forEach',
    declaration: binding
      ? null
      : {
          name: declared.name,
          type: applyDeclarator(lowerType(context, node), declared),
          initializer: null,
          constructorArguments: null,
          isStatic: false,
          span: spanOf(context, declarator ?? node),
        },
    names: binding ? namedChildren(binding).map((child) => textOf(context, child)) : [],
    ...(binding && declarator?.type !== 'reference_declarator' ? { isOfCopies: true } : {}),
    range: range ? lowerExpression(context, range) : unknownAt(context, node, 'range'),
    body: lowerSingle(context, childByField(node, 'body'), node),
    span: spanOf(context, node),
  };
}

function lowerTry(context: LowerContext, node: SyntaxNode): Statement {
  const clauses = node.children.filter((child) => child.type === 'catch_clause');
  const caught = clauses.map((child) => {
    const list = childByField(child, 'parameters');
    return (list ? lowerParameters(context, list)[0] : null) ?? null;
  });
  return {
    kind: 'try',
    body: lowerSingle(context, childByField(node, 'body'), node),
    handlers: clauses.map((child) => lowerSingle(context, childByField(child, 'body'), child)),
    caught: caught.map((each) => each?.type ?? null),
    caughtAs: caught.map((each) => (each && each.name !== '' ? each.name : null)),
    finalizer: null,
    span: spanOf(context, node),
  };
}
