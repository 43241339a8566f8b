/**
 * What CUDA answers while the program runs.
 *
 * An ordinary analysis has none: calls succeed, queries stay open, because error paths are not followed. A replay of a
 * recorded program hands in {@link Answers}, and the program follows them as it followed the real driver's.
 */

import { isStatusType, nameOfError } from '../models/cuda-errors.ts';
import { isWholeNumberName } from '../program/number-types.ts';
import type { FunctionDefinition, TypeReference } from '../program/program.ts';
import type { Trace, TraceEvent } from '../trace/event.ts';
import type { Argument } from './calls/call.ts';

import { numberValue, unknownValue, type Value } from './value.ts';
import type { World } from './world.ts';

export interface Answers {
  /** What the call returns, as a number: 0 is success. Called once an event, in order. */
  answer(event: TraceEvent): number;
  /** `cudaGraphMemAttr*` of a device, bytes. */
  graphMemory(device: number, attribute: number): number;
  /** `cudaStreamCaptureStatus`. */
  captureStatus(stream: number): number;
  /** The address an allocation begins at; null when it has none. */
  addressOf(allocation: number): number | null;
  /** The program records a step: an error's name, `ok`, or a number. */
  record(name: string, value: string | number): void;
}

/** Connects the answers to the tables of a run that is about to begin. */
export type ConnectAnswers = (trace: Trace) => Answers;

function isText(type: TypeReference): boolean {
  return /(?:^|::)string(?:_view)?$/.test(type.name) || (type.name.endsWith('char') && type.pointers === 1);
}

/**
 * A function that takes a step's name and what came of it, `S(const char *step, cudaError_t result)`, is how a program
 * records; so is one that takes a name and a number.
 */
export function noteRecordedStep(world: World, definition: FunctionDefinition, values: readonly Argument[]): void {
  if (!world.answers || definition.parameters.length !== 2) return;
  const [name, result] = definition.parameters;
  const [given, outcome] = values;
  if (!name || !result || !isText(name.type)) return;
  if (given?.value.kind !== 'string' || !outcome) return;
  const value = outcome.value.kind === 'number' ? outcome.value.value : 0;
  if (isStatusType(result.type.name)) world.answers.record(given.value.value, nameOfError(value));
  else if (isWholeNumberName(result.type.name) && result.type.pointers === 0)
    world.answers.record(given.value.value, value);
}

/** How two device addresses compare, or their distance, when addresses are known. */
export function compareAddresses(world: World, operator: string, left: Value, right: Value): Value | null {
  const first = addressIn(world, left);
  const second = addressIn(world, right);
  if (first === null || second === null) return null;
  switch (operator) {
    case '==':
      return numberValue(first === second ? 1 : 0);
    case '!=':
      return numberValue(first === second ? 0 : 1);
    case '<':
      return numberValue(first < second ? 1 : 0);
    case '>':
      return numberValue(first > second ? 1 : 0);
    case '-':
      return numberValue(first - second);
    default:
      return unknownValue;
  }
}

function addressIn(world: World, value: Value): number | null {
  if (value.kind !== 'device' || value.offset === null) return null;
  const start = world.answers?.addressOf(value.allocation) ?? null;
  return start === null ? null : start + value.offset;
}
