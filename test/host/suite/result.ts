/** Counts what mocha does and says it as it happens. */

export interface SuiteResult {
  readonly host: string;
  readonly passed: number;
  readonly failures: readonly { readonly title: string; readonly error: string }[];
  readonly measures: Readonly<Record<string, string>>;
}

interface Runner {
  on(event: 'pass' | 'fail', listener: (test: RunTest, error?: Error) => void): void;
}

interface RunTest {
  readonly duration?: number;
  fullTitle(): string;
}

/** `start` runs mocha and gives back its runner. */
export function collect(start: (done: () => void) => unknown): Promise<Pick<SuiteResult, 'passed' | 'failures'>> {
  return new Promise((resolve) => {
    let passed = 0;
    const failures: { title: string; error: string }[] = [];
    const runner = start(() => resolve({ passed, failures })) as Runner;
    runner.on('pass', (test) => {
      passed++;
      console.log(`[suite]   ok ${test.fullTitle()} (${test.duration ?? 0} ms)`);
    });
    runner.on('fail', (test, error) => {
      failures.push({ title: test.fullTitle(), error: error?.stack ?? String(error) });
      console.log(`[suite]   FAILED ${test.fullTitle()}: ${error?.message}`);
    });
  });
}

/** mocha wants a reporter; what happens is told by `collect`. */
export const silent = class {} as unknown as Mocha.ReporterConstructor;
