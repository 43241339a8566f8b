/**
 * What is specific to one version of the driver, as data.
 *
 * `estimate: true` says that the numbers were not measured on that driver: whoever shows a prediction made with such a
 * profile says so too.
 */

export interface DriverProfile {
  readonly name: string;
  /** Whether the figures are a guess from the documentation, not from recordings. */
  readonly estimate: boolean;
  /** What the profile rests on, one sentence. */
  readonly source: string;
  /** Every size and address is a multiple of this (experiment `sz`). */
  readonly granularity: number;
  /** Physical memory moves in blocks of this many bytes, and address ranges are multiples of it. */
  readonly blockBytes: number;
  /** The lowest address a graph or pool gets in a fresh process. */
  readonly firstAddress: number;
  /** Distance between the address ranges of two devices (recording `two_devices_one_graph`, seen once). */
  readonly deviceStride: number;
  /** Largest allocation that is accepted when a node is added; 1 TiB was refused (recording `huge_size`). */
  readonly largestAllocation: number;
  readonly costs: HostCosts;
}

/** Rough host and device times in microseconds: they decide which launches are still in flight at a given call. */
export interface HostCosts {
  /** A call that maps nothing, together with the queries around it. */
  readonly call: number;
  /** A block that has to be created and mapped (experiments `mapcost32`, `mapcost1024`). */
  readonly createBlock: number;
  /** An existing block that has to be mapped elsewhere. */
  readonly mapBlock: number;
  /** A block that trim releases. */
  readonly releaseBlock: number;
}

const MEBIBYTE = 1024 * 1024;

const DRIVER_13_0: DriverProfile = {
  name: '13.0',
  estimate: false,
  source: 'Recordings on an NVIDIA H200 with driver 580.159.04 and CUDA 13.0.',
  granularity: 512,
  blockBytes: 32 * MEBIBYTE,
  firstAddress: 0x302000000,
  deviceStride: 0x4600000000,
  largestAllocation: 1024 * 1024 * MEBIBYTE - 1,
  costs: { call: 4, createBlock: 38, mapBlock: 25, releaseBlock: 45 },
};

const DRIVER_12_X: DriverProfile = {
  ...DRIVER_13_0,
  name: '12.x',
  estimate: true,
  source: 'The programming guide describes the same rules for CUDA 11.4 to 12.9; the figures are those of 13.0.',
};

const PROFILES: readonly DriverProfile[] = [DRIVER_13_0, DRIVER_12_X];

/** Names that `driverProfile` knows, the default first. */
export const PROFILE_NAMES: readonly string[] = PROFILES.map((profile) => profile.name);

export const DEFAULT_PROFILE: DriverProfile = DRIVER_13_0;

/** The profile of that name, undefined when there is none. */
export function driverProfile(name: string): DriverProfile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}
