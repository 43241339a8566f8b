import { describe, expect, it } from 'vitest';
import { flagForOneRun } from '../../../src/cli/one-run.ts';

describe('what V8 is told of a process that reads its files once', () => {
  it('names a flag that Node 20’s V8 has', () => {
    expect(flagForOneRun('11.3.244.8-node.33')).toBe('--interrupt-budget=600000');
  });
  it('says nothing to later ones, which would answer with an error on stderr', () => {
    expect(flagForOneRun('12.4.254.21-node.33')).toBeNull();
    expect(flagForOneRun('14.6.202.34-node.24')).toBeNull();
  });
});
