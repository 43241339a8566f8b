/** What CUDA answers a program that is being replayed: the execution's results, the simulated driver's numbers. */

import type { DriverOptions } from '../driver/driver.ts';
import { deviceResults } from '../execution/device-results.ts';
import { startExecution } from '../execution/execute-trace.ts';
import type { Answers } from '../interpret/answers.ts';
import { numberOfError } from '../models/cuda-errors.ts';
import { startSimulation } from '../simulation/simulate.ts';
import type { Trace } from '../trace/event.ts';

/** A step as recordings write it: its name, and an error's name, `ok`, or a number. */
export type Step = readonly [string, string | number];

/** Recordings were made on machines with one or two devices: `access_desc_self` names number 3, which is none. */
const recordedDevices = 2;

/** Follows a run; `steps` fills as the program records them. */
export function createAnswers(trace: Trace, steps: Step[], options: DriverOptions): Answers {
  const { execution, state, next } = startExecution(trace, recordedDevices);
  const { simulation, driver, next: simulate } = startSimulation(execution, { driver: options });
  const onDevice = deviceResults(state);
  return {
    answer: (event) => {
      const { result } = simulate(next(event));
      return numberOfError(onDevice(event, result));
    },
    graphMemory: (device, attribute) => {
      const physical = driver.devices.get(device)?.physical;
      const { blockBytes } = driver.profile;
      if (!physical) return 0;
      const blocks = [physical.usedBlocks, physical.usedHigh, physical.blocks.length, physical.reservedHigh];
      return (blocks[attribute] ?? 0) * blockBytes;
    },
    captureStatus: (stream) => {
      const capture = state.captures.get(stream);
      return capture ? (capture.invalidated ? 2 : 1) : 0;
    },
    addressOf: (allocation) => simulation.addresses.get(allocation)?.address ?? null,
    record: (name, value) => {
      steps.push([name, value]);
    },
  };
}
