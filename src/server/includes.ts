/** Resolves `#include "name"` and `import 'name'` beside the file that says it. Open documents come before the disk. */

import type { AnalysisInput } from '../pipeline.ts';

/** `readText` gives the text of a URI, undefined when there is none. */
export function createIncludeReader(
  readText: (uri: string) => string | undefined,
): NonNullable<AnalysisInput['readInclude']> {
  return (name, from) => {
    const file = resolve(name, from);
    const text = file === undefined ? undefined : readText(file);
    return file === undefined || text === undefined ? undefined : { file, text };
  };
}

/** Undefined where a relative name means nothing, as in a document that was never saved. */
function resolve(name: string, from: string): string | undefined {
  try {
    return new URL(name.replaceAll('\\', '/'), from).href;
  } catch {
    return undefined;
  }
}
