/**
 * Everything that must hold, in the order in which it is quickest to learn of a mistake:
 *
 *     types ─▶ lint ─▶ unit tests, fixtures, laws, borders ─▶ build ─▶ VS Code: Node host ─▶ web worker host ─▶ browser
 *
 * A step that fails does not stop the later ones, but for the build. The last line is `N passed, M failed`, the tests of
 * all suites added up; a step without tests of its own counts only when it fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const reports = path.join(root, 'test', '.work', 'reports');
const unitReport = path.join(reports, 'unit.json');
const tool = (name) => path.join(root, 'node_modules', '.bin', name);
const script = (...names) => path.join(root, ...names);

/** `count` reads what the step left behind; steps without it have no tests. */
const steps = [
  { name: 'types', command: [tool('tsc'), '--noEmit'] },
  { name: 'lint', command: [tool('biome'), 'check'] },
  {
    name: 'unit',
    command: [tool('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`],
    count: countVitest,
  },
  { name: 'build', command: [process.execPath, script('scripts', 'build.mjs')], mustPass: true },
  {
    name: 'host',
    command: [process.execPath, script('test', 'host', 'run.mjs'), 'node'],
    count: () => countSuite('host'),
  },
  {
    name: 'web',
    command: [process.execPath, script('test', 'host', 'run.mjs'), 'web'],
    count: () => countSuite('web'),
  },
  { name: 'e2e', command: [process.execPath, script('test', 'e2e', 'run.mjs')], count: () => countSuite('e2e') },
];

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const results = [];
for (const step of steps) {
  const result = runStep(step);
  results.push(result);
  if (step.mustPass && result.failed > 0) break;
}
summarise();

function runStep({ name, command, count }) {
  console.log(`\n━━ ${name}`);
  const started = Date.now();
  const [program, ...args] = command;
  const env = { ...process.env, GRAPHMEM_BUILT: '1' };
  const { status, signal, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env });
  const counted = count?.() ?? { passed: 0, failed: 0 };
  const isWrong = status !== 0 || (count !== undefined && counted.passed + counted.failed === 0);
  if (isWrong) console.error(`━━ ${name} failed (${error?.message ?? signal ?? `exit ${status}`})`);
  return {
    name,
    passed: counted.passed,
    failed: isWrong ? Math.max(1, counted.failed) : counted.failed,
    seconds: (Date.now() - started) / 1000,
  };
}

function countVitest() {
  const report = readJson(unitReport);
  return report && { passed: report.numPassedTests, failed: report.numFailedTests };
}

function countSuite(suite) {
  return readJson(path.join(reports, `${suite}.json`));
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function summarise() {
  const missed = steps.slice(results.length);
  const passed = results.reduce((sum, each) => sum + each.passed, 0);
  const failed = results.reduce((sum, each) => sum + each.failed, 0) + missed.length;
  console.log('');
  for (const each of results) {
    const verdict = each.failed > 0 ? `${each.failed} FAILED` : 'ok';
    console.log(
      `${each.name.padEnd(6)} ${each.seconds.toFixed(1).padStart(6)} s  ${String(each.passed).padStart(5)} passed  ${verdict}`,
    );
  }
  for (const { name } of missed) console.log(`${name.padEnd(6)} not run, because the build failed`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
