import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { flagForOneRun, flagsForFewFiles } from '../../../src/cli/one-run.ts';

describe('what V8 is told of a process that reads its files once', () => {
  it('names a flag that Node 20’s V8 has', () => {
    expect(flagForOneRun('11.3.244.8-node.33')).toBe('--interrupt-budget=1500000');
    expect(flagForOneRun('11.3.244.8-node.33', true)).toBe('--interrupt-budget=300000');
  });
  it('names one that the V8 of Node 22 and later ones has', () => {
    expect(flagForOneRun('12.4.254.21-node.33')).toBe('--invocation-count-for-turbofan=60000');
    expect(flagForOneRun('14.6.202.34-node.24')).toBe('--invocation-count-for-turbofan=60000');
    expect(flagForOneRun('14.6.202.34-node.24', true)).toBe('--invocation-count-for-turbofan=15000');
  });
  it('names what the V8 of this process knows: it would say so', () => {
    const flags = [flagForOneRun(process.versions.v8), ...flagsForFewFiles];
    const { stderr, status } = spawnSync(process.execPath, [...flags, '--eval', ''], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
