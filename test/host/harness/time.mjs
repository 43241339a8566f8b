/** Waiting that ends. */

/** The promise's value, or an error that says what was waited for. Leaves no timer behind. */
export async function within(milliseconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing within ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks until the answer is neither false nor undefined; returns it. */
export async function until(what, ask, { patience = 20_000, pause = 50 } = {}) {
  const end = Date.now() + patience;
  let last;
  while (Date.now() < end) {
    last = await ask();
    if (last !== false && last !== undefined && last !== null) return last;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`${what}: not within ${patience / 1000} s`);
}
