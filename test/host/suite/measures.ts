/** Figures that tests take in passing; the harness prints them. */

export const measures: Record<string, string> = {};

export function measure(name: string, milliseconds: number): void {
  measures[name] = `${milliseconds.toFixed(1)} ms`;
}
