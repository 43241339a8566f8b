/**
 * Files that stand for headers of libraries: what a class of theirs asks of CUDA, written down once. No text of them is anybody's to
 * change: what happens in them happens where the program calls them.
 */

const prefix = 'library:';

/** What the text that stands for `<name>` is called among the files of a program. */
export function libraryFile(name: string): string {
  return `${prefix}${name}`;
}

/** Whether a file is one of these. */
export function isLibraryFile(file: string): boolean {
  return file.startsWith(prefix);
}

/** What `std::vector<T, A>` is called in here where `A` asks CUDA for its memory. */
export const vectorInOwnMemory = 'vector_in_own_memory';
