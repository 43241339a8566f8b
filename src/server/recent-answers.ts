/** Answers that are not asked for again for a short while: which file an include means, what is in it. A burst of keystrokes asks the same at each. */

/** Milliseconds. */
const short = 1_000;

export interface RecentAnswers {
  /** The answer of a moment ago, or a new one. */
  of(question: string, answer: () => string | undefined): string | undefined;
  /** Something has changed: all is asked for again. */
  forget(): void;
}

/** `now`: milliseconds from some moment on. */
export function createRecentAnswers(now: () => number = () => performance.now()): RecentAnswers {
  const answers = new Map<string, string | undefined>();
  let since = now();
  return {
    of(question, answer) {
      if (now() - since > short) {
        answers.clear();
        since = now();
      }
      if (!answers.has(question)) answers.set(question, answer());
      return answers.get(question);
    },
    forget: () => answers.clear(),
  };
}
