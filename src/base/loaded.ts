/**
 * A table of another file that is put into one of this file's when that is loaded. Of two files that need each other one is loaded
 * first: it would see nothing of the other, and say nothing of it. Throws then.
 */
export function loaded<Table extends object>(table: Table | undefined): Table {
  if (table === undefined) throw new Error('a table is read before its file has been loaded');
  return table;
}
