/**
 * Which function bodies a piece of work read. What was found holds as long as these stay the same: a function that is only
 * named, as in a table of callbacks, may change without anything having to be found again.
 *
 * The work need not say what it reads: a body notes that it is read. Answers that are kept (`Remembered`) are noted with
 * everything that was read for them.
 */

import { Attached } from '../base/attached.ts';

export interface Consulted {
  readonly bodies: Set<object>;
  /** Answers that were asked for, with what was read for them. */
  readonly answers: Set<Consulted>;
}

let underWay: Consulted | null = null;

export function createConsulted(): Consulted {
  return { bodies: new Set(), answers: new Set() };
}

/** A body is read. `body` is the same object wherever the function stands. */
export function noteBody(body: object): void {
  underWay?.bodies.add(body);
}

/** Does the work, and notes in `consulted` what it reads. */
export function consulting<T>(consulted: Consulted, work: () => T): T {
  const outside = underWay;
  underWay = consulted;
  try {
    return work();
  } finally {
    underWay = outside;
  }
}

/** All bodies, those behind the answers included. */
export function bodiesOf(consulted: Consulted): ReadonlySet<object> {
  const bodies = new Set<object>();
  // A set can be walked while it grows.
  const all = new Set([consulted]);
  for (const each of all) {
    for (const body of each.bodies) bodies.add(body);
    for (const answer of each.answers) all.add(answer);
  }
  return bodies;
}

/** Answers about pieces of one program. */
export class Remembered<K extends object, V> {
  readonly #answers = new WeakMap<K, { value: V; readonly consulted: Consulted }>();

  /** The answer for `key`. While it is being found, whoever asks for it again is told `meanwhile`. */
  get(key: K, meanwhile: V, find: () => V): V {
    const known = this.#answers.get(key);
    const answer = known ?? { value: meanwhile, consulted: createConsulted() };
    underWay?.answers.add(answer.consulted);
    if (known) return known.value;
    this.#answers.set(key, answer);
    answer.value = consulting(answer.consulted, find);
    return answer.value;
  }
}

/** Answers of one kind, each program its own: they hang on what its functions do. */
export function rememberedByProgram<K extends object, V>(): (program: object) => Remembered<K, V> {
  const programs = new Attached<object, Remembered<K, V>>();
  return (program) => {
    let own = programs.get(program);
    if (!own) {
      own = new Remembered();
      programs.set(program, own);
    }
    return own;
  };
}
