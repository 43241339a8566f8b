/**
 * Expressions in code of the device. It is followed which names hold addresses in what, whatever the order of the statements, and noted
 * where such a place is read, written, or given to somebody unseen.
 */

import type { Expression } from '../../program/program.ts';
import { findName } from '../expressions/names.ts';
import { isThunk } from '../scope.ts';
import { callOnDevice, indexed, ranMacro } from './device-calls.ts';
import { runStatements } from './device-code.ts';
import {
  blockIn,
  find,
  giveAway,
  type Local,
  load,
  nameIn,
  type Reading,
  store,
  touch,
  typeIn,
} from './device-memory.ts';
import { addressOf, calculated, calculatedAlone, combined, eitherOf, truthOf, unseen } from './device-numbers.ts';
import { constructed } from './device-objects.ts';
import { symbolThing } from './device-symbols.ts';
import { copied, createThing, isAddress, memberOf, mergeInto, type Thing } from './device-things.ts';

/** `T{a, b}`, and `T({a, b})` as well where that is how an object begins. */
function madeFrom({ arguments: given }: Expression & { kind: 'construct' }): readonly Expression[] {
  const [only] = given;
  if (given.length !== 1 || only?.kind !== 'list' || only.isArgument) return given;
  return only.elements.map(({ value }) => value);
}

/** A function that is named and not called. */
function functionThing({ world }: Reading, name: string): Thing | null {
  const isFunction = world.program.functions.get(name)?.some(({ body }) => body !== null);
  return isFunction ? createThing({ functions: new Set([name]), first: null, isSame: true }) : null;
}

/** An enumerator, or a constant of the program or of a class. */
function constantThing(reading: Reading, local: Local, name: string): Thing | null {
  const { world } = reading;
  const constant = world.globals && findName(world, world.globals, nameIn(reading, local, name));
  if (!constant || isThunk(constant) || constant.type?.isConst !== true || constant.value.kind !== 'number')
    return null;
  return createThing({ first: constant.value.value, isSame: true });
}

const nothing = (): Thing => createThing();

/** What an expression stands for: a place where it is one. */
export function evaluateOnDevice(reading: Reading, local: Local, expression: Expression): Thing {
  if (reading.steps-- <= 0) return nothing();
  const { program } = reading.world;
  const place = (inner: Expression): Thing => evaluateOnDevice(reading, local, inner);
  const value = (inner: Expression): Thing => load(reading, place(inner));
  switch (expression.kind) {
    case 'number':
      return createThing({ first: expression.value, isSame: true });
    case 'name':
      return (
        find(reading, local, expression.name) ??
        ranMacro(reading, local, expression.name, null) ??
        symbolThing(reading.world, expression.name) ??
        functionThing(reading, expression.name) ??
        constantThing(reading, local, expression.name) ??
        unseen(expression.name)
      );
    case 'unary':
      if (expression.operator === '&') {
        const target = place(expression.operand);
        if (target.functions.size > 0) return target;
        if (target.lies.size > 0) return addressOf(target);
        return createThing({ targets: new Set([target]) });
      }
      if (expression.operator === '*') return indexed(reading, place(expression.operand), null);
      return calculatedAlone(reading, expression.operator, value(expression.operand));
    case 'update': {
      const target = place(expression.operand);
      if (target.lies.size > 0) touch(reading, target.lies, 'x', target);
      else if (target.points.size === 0 && target.targets.size === 0 && !target.element) {
        const before = copied(target);
        const one = createThing({ first: 1, isSame: true });
        store(reading, target, calculated(expression.operator === '++' ? '+' : '-', target, one));
        return expression.prefix ? target : before;
      }
      return target;
    }
    case 'binary':
      return combined(reading, expression.operator, value(expression.left), value(expression.right));
    case 'assign': {
      const assigned = value(expression.value);
      const target = place(expression.target);
      const operator = expression.operator.slice(0, -1);
      if (operator === '') store(reading, target, assigned);
      else if (target.lies.size > 0) store(reading, target, assigned, 'x');
      else if (/^[-+]$/.test(operator)) store(reading, target, combined(reading, operator, target, assigned));
      else store(reading, target, calculated(operator, target, assigned));
      return target.lies.size > 0 ? createThing({ ...assigned, type: target.type, lies: new Set() }) : target;
    }
    case 'conditional': {
      const truth = truthOf(reading, value(expression.condition));
      if (truth !== null) return place(truth ? expression.whenTrue : expression.whenFalse);
      const [one, other] = [place(expression.whenTrue), place(expression.whenFalse)];
      if (one.lies.size === 0 && other.lies.size === 0) {
        return eitherOf(one, other);
      }
      if ([...one.lies].join() === [...other.lies].join()) return one;
      load(reading, other);
      return load(reading, one);
    }
    case 'member': {
      const object = place(expression.object);
      const isPointer = expression.isArrow === true || isAddress(program, object.type) === true;
      const isExtent = expression.object.kind === 'name' && /^(?:blockDim|gridDim)$/.test(expression.object.name);
      if (isExtent) return createThing({ first: null, isSame: true });
      return memberOf(reading, isPointer ? indexed(reading, object, null) : object, expression.name);
    }
    case 'index':
      return indexed(reading, place(expression.object), value(expression.index));
    case 'call':
      return callOnDevice(reading, local, expression);
    case 'launch': {
      for (const each of expression.configuration) value(each);
      const { kernel, arguments: list, span } = expression;
      return callOnDevice(reading, local, {
        kind: 'call',
        callee: kernel,
        templateArguments: [],
        arguments: list,
        span,
      });
    }
    case 'cast': {
      const inner = place(expression.operand);
      if (expression.type.isReference)
        return inner.lies.size > 0 ? createThing({ ...inner, type: expression.type }) : inner;
      return copied(load(reading, inner), typeIn(reading, local, expression.type));
    }
    case 'construct':
      return constructed(reading, typeIn(reading, local, expression.type), madeFrom(expression).map(place));
    case 'list': {
      const list = nothing();
      for (const each of expression.elements) mergeInto(list, value(each.value));
      return list;
    }
    case 'lambda': {
      const inner = blockIn(local);
      for (const own of expression.ownVariables)
        inner.names.set(own.name, own.isAlias ? place(own.value) : copied(value(own.value)));
      return createThing({ code: { lambda: expression, local: inner } });
    }
    case 'fold':
      for (const part of expression.parts) value(part);
      return nothing();
    case 'sequence': {
      const all = expression.expressions.map(place);
      return all.at(-1) ?? nothing();
    }
    case 'block':
      runStatements(reading, blockIn(local), expression.body);
      return nothing();
    case 'unknown':
      for (const part of expression.parts) giveAway(reading, value(part));
      return nothing();
    default:
      return nothing();
  }
}
