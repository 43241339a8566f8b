/** The few assertions the suite needs; they work in a web worker, which has no `node:assert`. */

export function isTrue(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Compares as JSON: plain data only. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}, found ${found}`);
}

/** Asks until the answer is neither false nor undefined; says what was seen last when it gives up. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  patience = 15_000,
): Promise<Exclude<T, false | undefined>> {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
    if (Date.now() > end) throw new Error(`${what}: not within ${patience / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
