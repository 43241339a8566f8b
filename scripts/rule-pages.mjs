/**
 * Writes `docs/rules/<id>.md`, one page a rule, and `docs/rules/README.md`, which lists them; pages of rules that are no
 * more are removed. `--check` writes nothing and fails when something is not up to date.
 *
 * The pages are made from the rules themselves (`src/checks/rule-page.ts`), whose examples run as tests.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadSource } from './load-source.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.join(root, 'docs', 'rules');

/** Every page by file name. */
export async function rulePages() {
  const { rules, rulePage } = await loadSource(
    "export { rules } from './src/checks/rules/index.ts'; export { rulePage } from './src/checks/rule-page.ts';",
  );
  const pages = new Map(rules.map((rule) => [`${rule.id}.md`, rulePage(rule)]));
  pages.set('README.md', overview(rules));
  return pages;
}

function overview(rules) {
  const rows = rules.map(({ id, number, severity, summary }) => {
    const text = summary.replaceAll('|', '\\|');
    return `| [\`${id}\`](${id}.md) | ${number} | ${severity} | ${text} |`;
  });
  return `# Rules

Every page says what is wrong, what CUDA does then, and how to put it right. The examples are tests: the first program of a
page is reported on the marked lines, the second one is not reported at all.

| rule | number | severity | what is wrong |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

/** Names of the files that are missing, different or too many. */
export async function outdatedPages() {
  const pages = await rulePages();
  const present = new Set(existing());
  const wrong = [...pages].filter(([name, text]) => !present.has(name) || read(name) !== text).map(([name]) => name);
  return [...wrong, ...[...present].filter((name) => !pages.has(name))];
}

function existing() {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch {
    return [];
  }
}

function read(name) {
  return readFileSync(path.join(folder, name), 'utf8');
}

async function write() {
  mkdirSync(folder, { recursive: true });
  const pages = await rulePages();
  for (const name of existing()) if (!pages.has(name)) rmSync(path.join(folder, name));
  for (const [name, text] of pages) writeFileSync(path.join(folder, name), text);
  console.log(`rule pages: ${pages.size} files in docs/rules`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) {
    const outdated = await outdatedPages();
    for (const name of outdated) console.error(`docs/rules/${name} is not up to date: run node scripts/rule-pages.mjs`);
    process.exitCode = outdated.length > 0 ? 1 : 0;
  } else await write();
}
