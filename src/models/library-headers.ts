/** Headers of libraries whose classes hold memory of the device: C++ that says what they ask of CUDA, for what nobody has the header of. */

import { libraryFile } from '../base/library-files.ts';
import { ownMemoryVector } from './headers/own-memory-vector.ts';
import { thrustHostVectors, thrustMemory, thrustUniversalVectors, thrustVectors } from './headers/thrust-vectors.ts';

/** Several headers may have one text: it is read once. */
const headers: readonly (readonly [text: string, ...names: readonly string[]])[] = [
  [thrustVectors, 'thrust/device_vector.h'],
  [thrustHostVectors, 'thrust/host_vector.h'],
  [thrustUniversalVectors, 'thrust/universal_vector.h'],
  [thrustMemory, 'thrust/device_malloc.h', 'thrust/device_free.h', 'thrust/device_new.h', 'thrust/device_delete.h'],
];

interface Header {
  readonly file: string;
  readonly text: string;
}

const byName: ReadonlyMap<string, Header> = new Map(
  headers.flatMap(([text, first = '', ...others]) => {
    const header = { file: libraryFile(first), text };
    return [first, ...others].map((name) => [name, header] as const);
  }),
);

/** What programs are read with that have containers in memory of their own. */
export const containersInOwnMemory: Header = { file: libraryFile('vector'), text: ownMemoryVector };

/** How a program finds the files that it includes. */
type ReadInclude = (name: string, from: string, isAngled?: boolean) => Header | undefined;

/** Finds the headers described here, and otherwise what `find` finds; in quotes it is the other way round. */
export function libraryHeaders(find: ReadInclude | undefined): ReadInclude {
  return (name, from, isAngled) => {
    const described = byName.get(name);
    if (described && isAngled) return described;
    return find?.(name, from, isAngled) ?? described;
  };
}
