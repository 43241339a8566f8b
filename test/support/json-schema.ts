/** Checks values against the part of JSON Schema 2020-12 that our schemas use; a keyword that is not known here throws. */

type Schema = { readonly [keyword: string]: unknown };

const annotations = new Set(['$schema', '$defs', 'title', 'description', 'enumDescriptions', 'then']);

/** What is wrong, each with its place; nothing when the value fits. */
export function schemaProblems(schema: unknown, value: unknown): readonly string[] {
  const root = asSchema(schema);
  const problems: string[] = [];
  check(root, root, value, '$', problems);
  return problems;
}

function asSchema(value: unknown): Schema {
  if (!isObject(value)) throw new Error('a schema must be an object');
  return value;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function hasType(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((each) => hasType(value, each));
  return wanted === 'integer' ? Number.isInteger(value) : typeOf(value) === wanted;
}

function check(root: Schema, schema: Schema, value: unknown, at: string, problems: string[]): void {
  for (const [keyword, argument] of Object.entries(schema))
    if (!annotations.has(keyword)) checkKeyword(root, schema, keyword, argument, value, at, problems);
}

function checkKeyword(
  root: Schema,
  schema: Schema,
  keyword: string,
  argument: unknown,
  value: unknown,
  at: string,
  problems: string[],
): void {
  const say = (problem: string): void => {
    problems.push(`${at}: ${problem}`);
  };
  switch (keyword) {
    case '$ref':
      check(root, definition(root, String(argument)), value, at, problems);
      return;
    case 'type':
      if (!hasType(value, argument)) say(`is ${typeOf(value)}, not ${String(argument)}`);
      return;
    case 'const':
      if (value !== argument) say(`is not ${JSON.stringify(argument)}`);
      return;
    case 'enum':
      if (!Array.isArray(argument) || !argument.includes(value)) say(`${JSON.stringify(value)} is not allowed`);
      return;
    case 'minimum':
      if (typeof value === 'number' && value < Number(argument)) say(`${value} is less than ${argument}`);
      return;
    case 'minLength':
      if (typeof value === 'string' && value.length < Number(argument)) say('is too short');
      return;
    case 'minItems':
      if (Array.isArray(value) && value.length < Number(argument)) say('has too few items');
      return;
    case 'maxItems':
      if (Array.isArray(value) && value.length > Number(argument)) say('has too many items');
      return;
    case 'anyOf': {
      const fits = Array.isArray(argument) && argument.some((each) => trial(root, asSchema(each), value, at));
      if (!fits) say('fits none of the alternatives');
      return;
    }
    case 'allOf':
      if (Array.isArray(argument)) for (const each of argument) check(root, asSchema(each), value, at, problems);
      return;
    case 'if':
      if (trial(root, asSchema(argument), value, at)) check(root, asSchema(schema['then']), value, at, problems);
      return;
    case 'items':
      if (Array.isArray(value))
        value.forEach((item, index) => {
          check(root, asSchema(argument), item, `${at}[${index}]`, problems);
        });
      return;
    case 'prefixItems':
      if (Array.isArray(value) && Array.isArray(argument))
        argument.forEach((each, index) => {
          if (index < value.length) check(root, asSchema(each), value[index], `${at}[${index}]`, problems);
        });
      return;
    case 'properties':
      if (isObject(value) && isObject(argument))
        for (const [name, each] of Object.entries(argument))
          if (name in value) check(root, asSchema(each), value[name], `${at}.${name}`, problems);
      return;
    case 'required':
      if (isObject(value) && Array.isArray(argument))
        for (const name of argument) if (!(String(name) in value)) say(`"${name}" is missing`);
      return;
    case 'additionalProperties': {
      if (!isObject(value)) return;
      const known = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
      for (const name of Object.keys(value)) {
        if (known.includes(name)) continue;
        if (argument === false) say(`"${name}" is not expected`);
        else if (isObject(argument)) check(root, argument, value[name], `${at}.${name}`, problems);
      }
      return;
    }
    case 'pattern':
      if (typeof value === 'string' && !new RegExp(String(argument)).test(value)) say(`not as ${argument}`);
      return;
    default:
      throw new Error(`the keyword "${keyword}" is not known here`);
  }
}

function trial(root: Schema, schema: Schema, value: unknown, at: string): boolean {
  const problems: string[] = [];
  check(root, schema, value, at, problems);
  return problems.length === 0;
}

function definition(root: Schema, reference: string): Schema {
  const name = reference.replace('#/$defs/', '');
  const all = root['$defs'];
  if (!isObject(all) || !(name in all)) throw new Error(`no definition ${reference}`);
  return asSchema(all[name]);
}
