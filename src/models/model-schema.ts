/** The JSON schema of users' models, by which editors check, complete and explain them, and the page that lists the same words. */

import { accessPathPattern } from './access-path.ts';
import { choices, fields, instead, lists, listsOfNumbers, marks, texts } from './effect-fields.ts';
import { type Verb, verbs } from './vocabulary.ts';

type Schema = { readonly [keyword: string]: unknown };

const path =
  'An access path: `argN` (the N-th argument, from 0), `*argN` (what it points to), `argN.member`, `argN[*]` (each element, where a list of paths is asked for), `return`, `this`.';

/** What `schema/models.schema.json` says. */
export function modelSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'graphmem models',
    description:
      'What functions of your own libraries do with memory, streams and graphs: for `graphmem check --models FILE` and the setting `graphmem.models`.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      name: { type: 'string', description: 'What the models are of. Nothing depends on it.' },
      rows: { type: 'array', items: { $ref: '#/$defs/row' }, description: 'One function each; a later row wins.' },
      pure: {
        type: 'array',
        items: { type: 'string' },
        description: 'Functions that touch neither the device nor their arguments.',
      },
    },
    required: ['rows'],
    additionalProperties: false,
    $defs: {
      row: rowSchema(),
      path: { type: 'string', pattern: accessPathPattern, description: path },
      // Editors explain a word by the innermost description that there is: of a field, what the field is.
      pathOfField: { type: 'string', pattern: accessPathPattern },
      effect: effectSchema(),
      ...Object.fromEntries(Object.keys(fields).map((field) => [`field.${field}`, fieldSchema(field)])),
    },
  };
}

function rowSchema(): Schema {
  const count = { type: 'integer', minimum: 0 };
  const effects = { type: 'array', items: { $ref: '#/$defs/effect' } };
  return {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        description: 'The function; `Class::method` for methods; a `*` at the end or in the midst stands for anything.',
      },
      arity: {
        description: 'Only calls with this many arguments: a number, or the least and the most.',
        anyOf: [count, { type: 'array', prefixItems: [count, count], minItems: 2, maxItems: 2 }],
      },
      effects: { ...effects, description: 'What the call does, in order; none for a function that does nothing.' },
      select: {
        type: 'object',
        description: 'Effects by the value of a path.',
        properties: { path: { $ref: '#/$defs/path' }, cases: { type: 'object', additionalProperties: effects } },
        required: ['path', 'cases'],
        additionalProperties: false,
      },
      returns: {
        description:
          '`status` (what CUDA answers), `lastError` (what cudaGetLastError does), a path, or a record of paths.',
        anyOf: [
          { enum: ['status', 'lastError'] },
          { $ref: '#/$defs/path' },
          {
            type: 'object',
            properties: { record: { type: 'object', additionalProperties: { $ref: '#/$defs/path' } } },
            required: ['record'],
            additionalProperties: false,
          },
        ],
      },
      unsafeInCapture: { type: 'boolean', description: 'Refused while a stream of the thread captures.' },
    },
    required: ['name'],
    additionalProperties: false,
  };
}

/** Which fields there are hangs on the verb. */
function effectSchema(): Schema {
  const names = Object.keys(verbs);
  return {
    type: 'object',
    properties: { verb: { enum: names, enumDescriptions: names.map((name) => verbs[name]!.what) } },
    required: ['verb'],
    allOf: Object.entries(verbs).map(([verb, { needs, may = [] }]) => ({
      if: { properties: { verb: { const: verb } }, required: ['verb'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        properties: {
          verb: {},
          ...Object.fromEntries([...needs, ...may].map((field) => [field, { $ref: `#/$defs/field.${field}` }])),
        },
        required: needs,
        additionalProperties: false,
      },
    })),
  };
}

function fieldSchema(field: string): Schema {
  const description = fields[field] ?? '';
  const among = choices[field];
  if (among) return { enum: among, description };
  if (marks.has(field)) return { type: 'boolean', description };
  const aPath = { $ref: '#/$defs/pathOfField' };
  const aNumber = { type: 'number' };
  if (lists.has(field)) {
    const items = listsOfNumbers.has(field) ? { anyOf: [aPath, { type: 'integer', minimum: 0 }] } : aPath;
    return { type: 'array', items, description };
  }
  if (texts.has(field)) return { type: 'string', description };
  const other = instead[field];
  return { anyOf: [aPath, aNumber, ...(other === undefined ? [] : [{ enum: [other] }])], description };
}

/** `docs/models.md`. */
export function modelPage(): string {
  const row = ([name, { what, needs, may = [] }]: [string, Verb]): string => {
    const named = (list: readonly string[]): string => list.map((each) => `\`${each}\``).join(' ');
    return `| \`${name}\` | ${what} | ${named(needs)} | ${named(may)} |`;
  };
  const meaning = ([name, what]: [string, string]): string => {
    const among = choices[name] ? ` One of ${choices[name].map((each) => `\`${each}\``).join(', ')}.` : '';
    return `| \`${name}\` | ${what}${among} |`;
  };
  return `# Models of your own functions

A model file says what functions of your libraries do, one row a function. Call it \`NAME.graphmem.json\`, or begin it with \`"$schema"\`, and the
editor checks it, completes it and explains its words. Pass it to \`check\`, \`graph\` or \`simulate\` with \`--models\`, or name it in
\`graphmem.models\`.

\`\`\`json
{ "rows": [{ "name": "poolAlloc", "returns": "status",
             "effects": [{ "verb": "memory.allocateAsync", "pointer": "*arg0", "bytes": ["arg1"], "stream": "arg2" }] }] }
\`\`\`

| in a row | meaning |
| --- | --- |
| \`name\` | the function; \`Class::method\` for methods; a \`*\` at the end or in the midst stands for anything |
| \`arity\` | only calls with so many arguments: a number, or \`[least, most]\` |
| \`effects\` | what the call does, in order; \`[]\` for nothing |
| \`select\` | \`{ "path": …, "cases": { "1": [effects] } }\`: effects by a value: a number, a constant of CUDA, or a text |
| \`returns\` | \`status\` (what CUDA answers), \`lastError\` (what cudaGetLastError does), a path, or \`{ "record": { "member": path } }\` |
| \`unsafeInCapture\` | \`true\`: refused while a stream of the thread captures |

Beside \`rows\` there may be \`pure\`, a list of functions that touch neither the device nor their arguments.

${path}

## What a call does

| verb | meaning | fields | may have |
| --- | --- | --- | --- |
${Object.entries(verbs).map(row).join('\n')}

## What the fields mean

A field is a path unless it says otherwise.

| field | meaning |
| --- | --- |
${Object.entries(fields).map(meaning).join('\n')}
`;
}
