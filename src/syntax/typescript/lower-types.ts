/** Types of parameters, as far as they tell something. */

import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childOfType, type SyntaxNode } from '../syntax-tree.ts';
import { anyType } from './built.ts';
import { type TypeScriptContext, textOf } from './lower-expressions.ts';

/** The handle types of the API answer to CUDA's names; everything else is not told apart. */
const typeNames: Readonly<Record<string, string>> = {
  Stream: 'cudaStream_t',
  Event: 'cudaEvent_t',
  Graph: 'cudaGraph_t',
  GraphNode: 'cudaGraphNode_t',
  GraphExec: 'cudaGraphExec_t',
  number: 'double',
};

/** What an annotation says: a handle, memory, a number, an object of a class of the program. */
export function typeOf(context: TypeScriptContext, annotation: SyntaxNode): TypeReference {
  const inner = childOfType(annotation, 'type_identifier', 'predefined_type');
  const name = inner ? textOf(context, inner) : '';
  if (name === 'DevicePointer') return { ...typeNamed('void'), pointers: 1 };
  if (context.classes.has(name)) return { ...typeNamed(name), pointers: 1 };
  const mapped = Object.hasOwn(typeNames, name) ? typeNames[name] : undefined;
  return mapped ? typeNamed(mapped) : anyType;
}
