/** Writes `schema/models.schema.json` and `docs/models.md` from the words of models (`src/models/vocabulary.ts`). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/models/model-schema.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'neutral',
  logLevel: 'error',
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { modelSchema, modelPage } = await import(`data:text/javascript;base64,${code}`);
writeFileSync(path.join(root, 'schema', 'models.schema.json'), `${JSON.stringify(modelSchema(), null, 2)}\n`);
writeFileSync(path.join(root, 'docs', 'models.md'), modelPage());
