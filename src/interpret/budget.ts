/** How far one run through the program is followed. */

/** What one run may cost. When a budget runs out the run ends with what it has, and says so as a gap. */
export interface Budget {
  readonly steps: number;
  readonly events: number;
  readonly depth: number;
  /** Iterations of a loop whose body acts on CUDA. */
  readonly iterations: number;
  /** Calls of CUDA from one loop, those inside it included. */
  readonly loopEvents: number;
}

export const defaultBudget: Budget = { steps: 200_000, events: 6_000, depth: 96, iterations: 400, loopEvents: 1_500 };
