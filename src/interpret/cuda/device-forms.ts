/**
 * Numbers that differ from thread to thread, as far as they are a constant and so much for each step along some coordinates: the place in the
 * block, the block in the grid, the round of a loop. Whatever values the coordinates have together, some thread has them.
 */

/** Goes from 0 to `count` - 1, whatever the other coordinates are. */
export interface Coordinate {
  readonly count: number;
}

export interface Form {
  readonly constant: number;
  readonly parts: ReadonlyMap<Coordinate, number>;
}

/** Only those threads are looked at in which `form` is what `by` is; null: that hangs on other coordinates, and `form` is not followed on. */
interface Replacement {
  readonly form: Form;
  readonly by: Form | null;
}

/** What conditions say about the threads that come to a place. */
export type Domain = readonly Replacement[];

export function constantForm(constant: number): Form {
  return { constant, parts: new Map() };
}

/** `first` and `factor` times `second`. */
export function plus(first: Form, second: Form, factor = 1): Form {
  const parts = new Map(first.parts);
  for (const [coordinate, by] of second.parts) {
    const sum = (parts.get(coordinate) ?? 0) + by * factor;
    if (sum === 0) parts.delete(coordinate);
    else parts.set(coordinate, sum);
  }
  return { constant: first.constant + second.constant * factor, parts };
}

export function scaled(form: Form, factor: number): Form {
  return plus(constantForm(0), form, factor);
}

/** The number where it is the same in all threads. */
export function numberIn(form: Form | null): number | null {
  return form && form.parts.size === 0 ? form.constant : null;
}

export function rangeOfForm({ constant, parts }: Form): { readonly low: number; readonly high: number } {
  let [low, high] = [constant, constant];
  for (const [{ count }, by] of parts)
    if (by > 0) high += by * (count - 1);
    else low += by * (count - 1);
  return { low, high };
}

/** Steps along the coordinates, the shortest first. */
function steps({ parts }: Form): readonly (readonly [count: number, by: number])[] {
  return [...parts].map(([{ count }, by]) => [count, Math.abs(by)] as const).sort((one, other) => one[1] - other[1]);
}

/** Whether each whole number between the least and the greatest is what it is in some thread. */
export function isDense(form: Form): boolean {
  let reach = 1;
  for (const [count, by] of steps(form)) {
    if (by > reach) return false;
    reach += by * (count - 1);
  }
  return true;
}

/** The form among the threads of a domain; null where it is not followed there. */
export function within(form: Form, domain: Domain): Form | null {
  let current = form;
  for (const { form: replaced, by } of domain) {
    const ratios = [...replaced.parts].map(([coordinate, each]) => (current.parts.get(coordinate) ?? 0) / each);
    const [ratio = 0] = ratios;
    if (ratios.every((each) => each === 0)) continue;
    if (by === null || ratios.some((each) => each !== ratio)) return null;
    current = plus(plus(current, replaced, -ratio), by, ratio);
  }
  return current;
}

/**
 * Those threads of a domain in which a number lies between two others: `always` where it does in all of them, `never` where in none, null
 * where nobody can tell.
 */
export function clipped(form: Form, least: number, most: number, domain: Domain): Domain | 'always' | 'never' | null {
  const here = within(form, domain);
  if (!here) return null;
  const { low, high } = rangeOfForm(here);
  if (low >= least && high <= most) return 'always';
  if (high < least || low > most) return 'never';
  if (!isDense(here)) return null;
  const from = Math.max(low, least);
  return [
    ...domain,
    { form: here, by: { constant: from, parts: new Map([[{ count: Math.min(high, most) - from + 1 }, 1]]) } },
  ];
}

/** From here on nothing is said of what the form hangs on. */
export function without(form: Form, domain: Domain): Domain {
  return [...domain, { form, by: null }];
}

/** Runs of bytes that are told apart. */
const mostRuns = 64;

/** Bytes that are touched where something of so many bytes lies at each value of the form: runs without gaps, the outermost where there are too many. */
export function runsOf(form: Form, bytes: number): readonly { readonly from: number; readonly to: number }[] {
  let length = bytes;
  const gaps: (readonly [count: number, by: number])[] = [];
  for (const [count, by] of steps(form))
    if (by <= length && gaps.length === 0) length += by * (count - 1);
    else gaps.push([count, by]);
  let starts = [rangeOfForm(form).low];
  for (const [count, by] of gaps) {
    const isMany = starts.length * count > mostRuns;
    const places = isMany ? [0, count - 1] : Array.from({ length: count }, (_, index) => index);
    starts = starts.flatMap((start) => places.map((place) => start + place * by)).slice(0, mostRuns * 2);
  }
  return starts.map((from) => ({ from, to: from + length }));
}
