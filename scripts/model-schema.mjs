/** Writes `schema/models.schema.json` and `docs/models.md` from the words of models (`src/models/vocabulary.ts`). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSource } from './load-source.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { modelSchema, modelPage } = await loadSource("export * from './src/models/model-schema.ts';");
writeFileSync(path.join(root, 'schema', 'models.schema.json'), `${JSON.stringify(modelSchema(), null, 2)}\n`);
writeFileSync(path.join(root, 'docs', 'models.md'), modelPage());
