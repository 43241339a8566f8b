/** `std::construct_at` and `std::destroy_at`: objects that begin and end in memory that is there. */

import { store } from '../expressions/assign.ts';
import { elementCell } from '../expressions/elements.ts';
import { constructValue } from '../objects/construct.ts';
import { initialised } from '../objects/copies.ts';
import { endElement } from '../objects/destroy.ts';
import { unknownValue } from '../value.ts';
import type { Builtin } from './builtin.ts';

export const objectsInPlace: Readonly<Record<string, Builtin>> = {
  construct_at: (world, scope, [at, ...given], { span }) => {
    if (at?.value.kind !== 'pointer') return at?.value ?? unknownValue;
    const { cell } = at.value;
    const [only] = given;
    if (cell.type) cell.value = constructValue(world, scope, cell.type, given, span);
    else if (only) store(world, scope, cell, initialised(world, scope, only, span));
    return at.value;
  },
  destroy_at: (world, _scope, [at]) => {
    if (at?.value.kind === 'pointer') endElement(world, at.value.cell);
    return unknownValue;
  },
  destroy_n: (world, _scope, [first, count]) => {
    const [at, number] = [first?.value, count?.value];
    if (at?.kind !== 'pointer' || !at.sequence || number?.kind !== 'number') return unknownValue;
    const to = Math.min(at.index + number.value, at.sequence.length ?? 0);
    for (let index = at.index; index < to; index++) endElement(world, elementCell(at.sequence, index));
    return unknownValue;
  },
};
