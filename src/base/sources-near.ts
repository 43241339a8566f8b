/**
 * Source files that may be compiled into one program with a file: those of its compilation database, else those beside it and in the
 * folders where sources usually lie. Paths are those of the file system with `/`; listing is the caller's affair.
 */

/** Names in a folder; undefined where it cannot be listed. */
export type ListFolder = (folder: string) => readonly string[] | undefined;

const isSource = /\.(?:cu|cpp|cc|cxx|c)$/;

/** Folders beside a file, or beside the folder it lies in, that hold sources. */
const usualFolders = ['src', 'lib', 'source', 'sources', 'kernels', 'cuda'];

/** A folder with more source files than this holds no single program. */
const mostInFolder = 40;
/** Files of a compilation database that are looked into. */
const mostCompiled = 96;

/**
 * Their names relative to the folder of `file`, nearest first. `compiled`: the files that are compiled with it, where that is known.
 * Folders are listed once.
 */
export function createSourcesNear(
  compiled: (file: string) => readonly string[],
  list: ListFolder,
): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const sourcesIn = (folder: string): readonly string[] => {
    let sources = known.get(folder);
    if (!sources) {
      const names = (list(folder) ?? []).filter((name) => isSource.test(name)).sort();
      sources = names.length > mostInFolder ? [] : names.map((name) => `${folder}/${name}`);
      known.set(folder, sources);
    }
    return sources;
  };
  return (file) => {
    const own = folderOf(file);
    const together = compiled(file);
    const found =
      together.length > 0
        ? byNearness(file, together).slice(0, mostCompiled)
        : [own, ...below(own), ...below(folderOf(own))].flatMap((folder) => sourcesIn(folder));
    return [...new Set(found)]
      .filter((each) => each !== file && isSource.test(each))
      .map((each) => relative(own, each));
  };
}

function below(folder: string): readonly string[] {
  return usualFolders.map((name) => `${folder}/${name}`);
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '.' : path.slice(0, end);
}

function byNearness(file: string, others: readonly string[]): readonly string[] {
  const shared = new Map(others.map((other) => [other, sharedParts(file, other)]));
  return [...others].sort((first, second) => shared.get(second)! - shared.get(first)! || (first < second ? -1 : 1));
}

function sharedParts(first: string, second: string): number {
  const [one, other] = [first.split('/'), second.split('/')];
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  return count;
}

/** The way from a folder to a file, both absolute or both relative to the same. */
function relative(folder: string, file: string): string {
  const from = folder === '.' ? [] : folder.split('/');
  const to = file.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}
