/**
 * Variables that the host and the device reach by one name, `__managed__ int count;`: the host touches memory of the device when it
 * names them, and what they hold is not known any more once a kernel may have written them.
 */

import type { Declaration } from '../../program/program.ts';
import type { Access } from '../../trace/event.ts';
import { keptByRun } from '../kept-by-run.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { isScalar } from '../types/types.ts';
import { type Cell, type DeviceAddress, unknownValue } from '../value.ts';
import type { World } from '../world.ts';
import { memoryOf } from './device-symbols.ts';

interface Managed {
  /** By allocation. */
  readonly cells: Map<number, Cell>;
  /** Those that kernels write. */
  readonly changing: Set<Cell>;
}

const managedOf = keptByRun((): Managed => ({ cells: new Map(), changing: new Set() }));

/** The variable as the host sees it: a number that lies in managed memory, or the address of an array there. Others stay as they are. */
export function managedCell(world: World, scope: Scope, declaration: Declaration, cell: Cell): Cell {
  if (declaration.isOnDevice !== 'managed') return cell;
  const { extents, ...element } = resolveType(world.program, declaration.type);
  if (extents.length > 1 || element.pointers > 0 || !isScalar(world.program, { ...element, extents: [] })) return cell;
  const memory = memoryOf(world, declaration.name, declaration);
  if (!memory) return cell;
  const elementBytes = bytesOfType(world, { ...element, extents: [] }, scope);
  const isVolatile = declaration.type.isVolatile === true;
  const deviceAt = { kind: 'device', ...memory, elementBytes, ...(isVolatile ? { isVolatile } : {}) } as const;
  if (extents.length === 1) {
    cell.value = deviceAt;
    return cell;
  }
  const managed = { ...cell, deviceAt };
  managedOf(world).cells.set(memory.allocation, managed);
  return managed;
}

/** Notes which of them work that is asked for may write. */
export function noteManagedWrites(world: World, accesses: readonly Access[]): void {
  const known = managedOf(world);
  if (known.cells.size === 0) return;
  for (const access of accesses) {
    const cell = known.cells.get(access.pointer.allocation);
    if (cell && !known.changing.has(cell) && access.mode !== 'read') known.changing.add(cell);
  }
}

/** Who has the address of one may write it at any time. */
export function noteManagedAddress(world: World, { allocation }: DeviceAddress): void {
  const known = managedOf(world);
  const cell = known.cells.get(allocation);
  if (cell) known.changing.add(cell);
}

/** Whatever is asked of CUDA, the kernels that write them may have run when it returns. */
export function forgetManaged(world: World): void {
  const { changing } = managedOf(world);
  if (changing.size > 0) for (const cell of changing) cell.value = unknownValue;
}
