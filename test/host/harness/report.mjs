/** What a suite did, written where `scripts/test.mjs` adds it up. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { reports } from './places.mjs';

const fileOf = (suite) => path.join(reports, `${suite}.json`);

/** Forgets the last run, so that a suite that dies leaves no old success behind. */
export function clearReport(suite) {
  rmSync(fileOf(suite), { force: true });
}

export function writeReport(suite, { passed, failed, seconds }) {
  mkdirSync(reports, { recursive: true });
  writeFileSync(fileOf(suite), `${JSON.stringify({ suite, passed, failed, seconds: Number(seconds.toFixed(1)) })}\n`);
}

/** Undefined when the suite left none. */
export function readReport(suite) {
  try {
    return JSON.parse(readFileSync(fileOf(suite), 'utf8'));
  } catch {
    return undefined;
  }
}
