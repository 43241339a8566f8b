/**
 * What we know about a library, as data.
 *
 * A row says what a call does in terms of access paths over its arguments:
 *
 *     argN            the N-th argument, from 0
 *     *argN           what it points to (where results are written)
 *     argN.a.b        a member, through pointers
 *     argN[*].a       a member of every structure in the array it points to (in lists of accesses)
 *     return          the value returned
 *     this            the object a method is called on
 *
 * Users add rows of the same shape as JSON (`graphmem check --models FILE`).
 */

export type Path = string;

export interface ModelEffect {
  readonly verb: string;
  /** Everything else: field name to path, list of paths (multiplied for sizes), or constant. */
  readonly [field: string]: Path | readonly (Path | number)[] | number | boolean | undefined;
}

export interface ModelRow {
  /** The function's name; `Class::method` for methods. */
  readonly name: string;
  /** Only calls with this many arguments: exact, or [least, most]. */
  readonly arity?: number | readonly [number, number];
  readonly effects?: readonly ModelEffect[];
  /** Effects by the value of a path, such as a node's type: a number, the name of a constant, or a text. */
  readonly select?: { readonly path: Path; readonly cases: Readonly<Record<string, readonly ModelEffect[]>> };
  /** `status` (what CUDA answers), `lastError`, `record` of paths, a path, or nothing. */
  readonly returns?: 'status' | 'lastError' | Path | { readonly record: Readonly<Record<string, Path>> };
  /** Refused while a stream of the thread captures (any mode but relaxed). */
  readonly unsafeInCapture?: boolean;
  /** Of what is unsafe in a capture: it waits for all work of the device, which no documentation promises. */
  readonly waitsInFact?: boolean;
}

/**
 * When a function calls what it is given: at once, with what belongs to a `group` or a `test` around it; before or after each
 * test of the group; when the test or group ends, last first or in order (`later`); or when something happens outside (`apart`).
 * `now`: at once, and nothing else is done with what it is given.
 */
export type CallbackUse = 'now' | 'group' | 'test' | 'before each' | 'after each' | 'at end' | 'later' | 'apart';

export interface ModelFile {
  readonly name: string;
  readonly rows: readonly ModelRow[];
  /** Functions that neither touch the device nor their arguments. */
  readonly pure?: readonly string[];
  /** Functions whose result hangs on nothing but what they are given, and on the texts that it leads to. */
  readonly lookups?: readonly string[];
  /** Functions that are given functions, `name` or `object.name`. */
  readonly callbacks?: Readonly<Record<string, CallbackUse>>;
  readonly constants?: Readonly<Record<string, number>>;
  /** Functions that read or write memory of the host, by the arguments that are its addresses. */
  readonly hostUses?: ReadonlyMap<string, HostUses>;
  /** Functions that work on the host alone: whatever else they do, nobody waits for the device in them. */
  readonly hostOnly?: readonly string[];
  /** Members of structures in order, for `{a, b}` initialisers. Only the leading ones are needed. */
  readonly structures?: Readonly<Record<string, readonly string[]>>;
  /** The structures that members of them are, by the member's name or `structure.member`. */
  readonly innerStructures?: Readonly<Record<string, string>>;
  /** Their members that are numbers or pointers, which `{}` and `memset` leave at zero, where a program may ask for that. */
  readonly plainMembers?: Readonly<Record<string, readonly string[]>>;
}

/** Which arguments of a function are addresses of what it reads, and of what it writes. */
export interface HostUses {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Which say how much that is: nothing is touched where one of them is 0. */
  readonly counts: readonly number[];
  /** It takes memory of the device, too, at once and whatever a stream still does with it. */
  readonly ofDevice?: true;
}

export interface ModelTable {
  readonly rows: ReadonlyMap<string, readonly ModelRow[]>;
  readonly pure: ReadonlySet<string>;
  readonly lookups: ReadonlySet<string>;
  readonly hostUses: ReadonlyMap<string, HostUses>;
  /** Those of {@link ModelFile.hostOnly}, and all that have `hostUses`. */
  readonly hostOnly: ReadonlySet<string>;
  readonly callbacks: ReadonlyMap<string, CallbackUse>;
  readonly constants: ReadonlyMap<string, number>;
  readonly structures: ReadonlyMap<string, readonly string[]>;
  readonly innerStructures: ReadonlyMap<string, string>;
  readonly plainMembers: ReadonlyMap<string, readonly string[]>;
  /** Names with a `*` in them, longest first. */
  readonly patterns: readonly NamePattern[];
}

/** `cusolverDn*_bufferSize`: what names begin and end with. */
interface NamePattern {
  readonly pattern: string;
  readonly start: string;
  readonly end: string;
}

/** Merges model files; later rows come first, so that a user's row wins. */
export function buildModelTable(files: readonly ModelFile[]): ModelTable {
  const rows = new Map<string, ModelRow[]>();
  const pure = new Set<string>();
  const lookups = new Set<string>();
  const callbacks = new Map<string, CallbackUse>();
  const constants = new Map<string, number>();
  const structures = new Map<string, readonly string[]>();
  const innerStructures = new Map<string, string>();
  const plainMembers = new Map<string, readonly string[]>();
  const hostUses = new Map<string, HostUses>();
  const hostOnly = new Set<string>();
  for (const file of files) {
    for (const row of file.rows) rows.set(row.name, [row, ...(rows.get(row.name) ?? [])]);
    for (const name of file.pure ?? []) pure.add(name);
    for (const name of file.lookups ?? []) lookups.add(name);
    for (const [name, use] of Object.entries(file.callbacks ?? {})) callbacks.set(name, use);
    for (const [name, value] of Object.entries(file.constants ?? {})) constants.set(name, value);
    for (const [name, members] of Object.entries(file.structures ?? {})) structures.set(name, members);
    for (const [name, inner] of Object.entries(file.innerStructures ?? {})) innerStructures.set(name, inner);
    for (const [name, members] of Object.entries(file.plainMembers ?? {})) plainMembers.set(name, members);
    for (const [name, each] of file.hostUses ?? []) hostUses.set(name, each);
    for (const name of [...(file.hostUses?.keys() ?? []), ...(file.hostOnly ?? [])]) hostOnly.add(name);
  }
  const patterns = [...rows.keys()].flatMap((pattern) => {
    const [start = '', end] = pattern.split('*');
    return end === undefined ? [] : { pattern, start, end };
  });
  return {
    rows,
    pure,
    lookups,
    hostUses,
    hostOnly,
    callbacks,
    constants,
    structures,
    innerStructures,
    plainMembers,
    patterns: patterns.sort((first, second) => second.pattern.length - first.pattern.length),
  };
}

/**
 * The first row that fits the number of arguments; exact names before patterns, longer patterns before shorter. A pattern's
 * row comes under the name that was asked for.
 */
export function findRow(table: ModelTable, name: string, argumentCount: number): ModelRow | undefined {
  const exact = fitting(table.rows.get(entryPoint(table, name)), argumentCount);
  if (exact) return exact;
  const pattern = patternOf(table, name);
  const row = pattern === undefined ? undefined : fitting(table.rows.get(pattern), argumentCount);
  return row && { ...row, name };
}

function fitting(rows: readonly ModelRow[] | undefined, argumentCount: number): ModelRow | undefined {
  return rows?.find((each) => fits(each.arity, argumentCount));
}

/**
 * The call that a name stands for: a pointer from a table of driver entry points (`cuGraphLaunch_f`, `pfn_cuGraphLaunch`), or
 * the name that a header gives a call by macro (`cudaGraphAddNode_v2`, `cuStreamQuery_ptsz` for the per-thread default stream).
 */
function entryPoint(table: ModelTable, name: string): string {
  if (table.rows.has(name)) return name;
  // Most names are not of CUDA at all.
  if (!name.includes('cu')) return name;
  const plain = /^(?:pfn_?|p_|fp_)?(cu(?:da)?[A-Z]\w*?)(?:_f|_fn|_ptr|_pfn|_ptsz|_ptds)?$/.exec(name)?.[1];
  const unversioned = plain?.replace(/_v\d$/, '');
  if (plain !== undefined && table.rows.has(plain)) return plain;
  return unversioned !== undefined && table.rows.has(unversioned) ? unversioned : name;
}

const deviceCallCaches = new WeakMap<ModelTable, Map<string, boolean>>();

/** A call of CUDA that builds, launches or orders work, or manages memory, whether a model has it or not. */
export function isDeviceCall(table: ModelTable, name: string): boolean {
  // Most names are not of CUDA at all.
  if (!name.includes('cu') && !table.rows.has(name)) return false;
  let cache = deviceCallCaches.get(table);
  if (cache === undefined) {
    cache = new Map();
    deviceCallCaches.set(table, cache);
  }
  let is = cache.get(name);
  if (is === undefined) {
    is =
      table.rows.has(entryPoint(table, name)) ||
      (name.startsWith('cu') &&
        /^cu(?:da)?(?:Graph(?!ics)|Stream|Event|Mem|Malloc|Free|Launch|DeviceGraph|UserObject)[A-Z]\w*$/.test(name));
    cache.set(name, is);
  }
  return is;
}

const actingCaches = new WeakMap<ModelTable, Map<string, boolean>>();

/** Whether a call of that name leaves something behind that CUDA's order or memory hangs on: not one that only asks. */
export function actsOnDevice(table: ModelTable, name: string): boolean {
  const cache = actingCaches.get(table) ?? new Map<string, boolean>();
  actingCaches.set(table, cache);
  let acts = cache.get(name);
  if (acts === undefined) {
    const pattern = patternOf(table, name);
    const rows =
      table.rows.get(entryPoint(table, name)) ?? (pattern === undefined ? undefined : table.rows.get(pattern));
    acts = rows ? rows.some(leavesSomething) : isDeviceCall(table, name);
    cache.set(name, acts);
  }
  return acts;
}

function leavesSomething({ effects = [], select, unsafeInCapture }: ModelRow): boolean {
  const all = [...effects, ...Object.values(select?.cases ?? {}).flat()];
  // What is over is asked about nowhere but where it is used by mistake.
  return unsafeInCapture === true || all.some(({ verb }) => !/^(?:write|query|error|device\.reset$)/.test(verb));
}

const patternCaches = new WeakMap<ModelTable, Map<string, string | undefined>>();

function patternOf(table: ModelTable, name: string): string | undefined {
  const cache = patternCaches.get(table) ?? new Map<string, string | undefined>();
  patternCaches.set(table, cache);
  if (!cache.has(name))
    cache.set(name, table.patterns.find(({ start, end }) => name.startsWith(start) && name.endsWith(end))?.pattern);
  return cache.get(name);
}

function fits(arity: ModelRow['arity'], count: number): boolean {
  if (arity === undefined) return true;
  return typeof arity === 'number' ? arity === count : arity[0] <= count && count <= arity[1];
}
