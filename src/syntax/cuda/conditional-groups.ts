/** `#if` … `#elif` … `#else` … `#endif`, open groups inside each other, as the host's pass and the device's see them. Unbalanced ends are tolerated. */

interface Pass {
  /** Whether lines count. */
  active: boolean;
  /** Whether a branch of the innermost group has counted. */
  taken: boolean;
}

/** Asks for the condition of one pass; only where the answer counts. */
export type Condition = (isOnDevice: boolean) => boolean;

export class ConditionalGroups {
  private host: Pass = { active: true, taken: true };
  private device: Pass = { active: true, taken: true };
  private readonly around: { readonly host: Pass; readonly device: Pass }[] = [];
  private readonly hasDevice: boolean;
  private readonly readsDevice: () => boolean;

  /** `hasDevice`: the device's pass may differ. `readsDevice`: whether the lines that follow are read for the device. */
  constructor(hasDevice: boolean, readsDevice: () => boolean) {
    this.hasDevice = hasDevice;
    this.readsDevice = readsDevice;
  }

  /** Whether a line counts: for the host's pass, and in device code for the device's. */
  get active(): boolean {
    return this.host.active;
  }

  get activeOnDevice(): boolean {
    return this.device.active;
  }

  begin(condition: Condition): void {
    const { host, device } = this;
    this.around.push({ host, device });
    const [forHost, forDevice, isHosts] = this.answers(condition, host.active, device.active);
    this.host = { active: forHost, taken: isHosts };
    this.device = { active: forDevice, taken: forDevice };
  }

  other(condition: Condition): void {
    const outer = this.around[this.around.length - 1];
    if (!outer) return;
    const { host, device } = this;
    const [forHost, forDevice, isHosts] = this.answers(
      condition,
      outer.host.active && !host.taken,
      outer.device.active && !device.taken,
    );
    this.host = { active: forHost, taken: host.taken || isHosts };
    this.device = { active: forDevice, taken: device.taken || forDevice };
  }

  end(): void {
    const outer = this.around.pop();
    if (!outer) return;
    this.host = outer.host;
    this.device = outer.device;
  }

  /** Whether a branch counts for the host and for the device, where it may count; and whether it is the one that the host's own pass takes. */
  private answers(
    condition: Condition,
    mayOnHost: boolean,
    mayOnDevice: boolean,
  ): readonly [boolean, boolean, boolean] {
    const forHost = mayOnHost && condition(false);
    if (!this.hasDevice) return [forHost, forHost, forHost];
    const forDevice = mayOnDevice && condition(true);
    if (forHost === forDevice) return [forHost, forDevice, forHost];
    return [this.readsDevice() ? forDevice : forHost, forDevice, forHost];
  }
}
