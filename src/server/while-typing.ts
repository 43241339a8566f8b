/**
 * What is shown while something is being typed. A statement that is not whole yet often takes the next one in: a free goes
 * missing, a launch, the end of a capture. What follows from that alone would be wrong a moment later, so as long as a piece of
 * the file is half typed nothing new is shown; what was shown stays while it is still found. Saving shows everything.
 */

import type { Finding } from '../base/finding.ts';
import type { Analysis } from '../pipeline.ts';

export interface WhileTyping {
  /** The findings of a newer text of `uri` to show now. */
  shown(uri: string, analysis: Analysis): readonly Finding[];
  /** The text is meant as it stands, or is gone: the next analysis is shown whole. */
  forget(uri: string): void;
}

/** What the last text was like of which everything was shown. */
interface Whole {
  readonly halfTyped: ReadonlySet<string>;
  readonly findings: ReadonlySet<string>;
}

export function createWhileTyping(): WhileTyping {
  const last = new Map<string, Whole>();
  return {
    shown(uri, analysis) {
      const whole = last.get(uri);
      const halfTyped = analysis.halfTyped();
      if (whole && [...halfTyped].some((name) => !whole.halfTyped.has(name)))
        return analysis.findings.filter((finding) => whole.findings.has(keyOf(finding)));
      last.set(uri, { halfTyped, findings: new Set(analysis.findings.map(keyOf)) });
      return analysis.findings;
    },
    forget: (uri) => void last.delete(uri),
  };
}

/** The same wherever the finding stands by now. */
function keyOf({ rule, message }: Finding): string {
  return `${rule} ${message}`;
}
