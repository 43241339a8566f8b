/** What a file of TypeScript declares at its top level, imports and exports. */

import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';

export interface ModuleLinks {
  /** `imported`: the name over there; null for the whole module. */
  readonly imports: readonly {
    readonly source: string;
    readonly names: readonly { readonly local: string; readonly imported: string | null }[];
  }[];
  /** Names that others see, and what they are called here. */
  readonly exports: ReadonlyMap<string, string>;
  /** `export { a as b } from './x'`; both null for `export * from './x'`, `imported` for `export * as b from './x'`. */
  readonly passedOn: readonly {
    readonly source: string;
    readonly exported: string | null;
    readonly imported: string | null;
  }[];
  readonly declared: readonly string[];
}

/** What an unnamed default export is called here. */
export const defaultExport = 'default';

export function linksOf(text: string, root: SyntaxNode): ModuleLinks {
  const imports: ModuleLinks['imports'][number][] = [];
  const passedOn: ModuleLinks['passedOn'][number][] = [];
  const exports = new Map<string, string>();
  const read = (node: SyntaxNode | undefined): string => (node ? plain(text.slice(node.start, node.end)) : '');
  for (const node of namedChildren(root)) {
    const source = read(childByField(node, 'source'));
    if (node.type === 'import_statement' && source !== '') imports.push({ source, names: importedNames(node, read) });
    if (node.type !== 'export_statement') continue;
    const clause = childOfType(node, 'export_clause');
    const whole = childOfType(node, 'namespace_export');
    for (const each of clause ? namedChildren(clause) : []) {
      const local = read(childByField(each, 'name'));
      const exported = read(childByField(each, 'alias')) || local;
      if (source === '') exports.set(exported, local);
      else passedOn.push({ source, exported, imported: local });
    }
    if (clause) continue;
    if (source !== '')
      passedOn.push({ source, exported: whole ? read(namedChildren(whole)[0]) : null, imported: null });
    else if (isDefault(node)) exports.set(defaultExport, defaultName(text, node));
    else for (const name of declaredBy(text, node)) exports.set(name, name);
  }
  return { imports, exports, passedOn, declared: declaredIn(text, namedChildren(root)) };
}

function plain(written: string): string {
  return written.replace(/^['"`]|['"`]$/g, '');
}

function importedNames(
  node: SyntaxNode,
  read: (node: SyntaxNode | undefined) => string,
): { local: string; imported: string | null }[] {
  const clause = childOfType(node, 'import_clause');
  return (clause ? namedChildren(clause) : []).flatMap((part): { local: string; imported: string | null }[] => {
    if (part.type === 'identifier') return [{ local: read(part), imported: defaultExport }];
    if (part.type === 'namespace_import') return [{ local: read(namedChildren(part)[0]), imported: null }];
    return namedChildren(part).map((each) => {
      const imported = read(childByField(each, 'name'));
      return { local: read(childByField(each, 'alias')) || imported, imported };
    });
  });
}

function isDefault(node: SyntaxNode): boolean {
  return node.children.some(({ type }) => type === 'default');
}

/** What `export default …` exports, by the name that it has in the file. */
function defaultName(text: string, node: SyntaxNode): string {
  const value = childByField(node, 'value');
  if (value?.type === 'identifier') return text.slice(value.start, value.end);
  return declaredBy(text, node)[0] ?? defaultExport;
}

/** The names that these statements declare. */
export function declaredIn(text: string, statements: readonly SyntaxNode[]): string[] {
  return statements.flatMap((node) => declaredBy(text, node));
}

function declaredBy(text: string, statement: SyntaxNode): string[] {
  if (statement.type === 'export_statement') {
    const declaration = childByField(statement, 'declaration');
    if (declaration) return declaredBy(text, declaration);
    const value = childByField(statement, 'value');
    return value && value.type !== 'identifier' ? [defaultExport] : [];
  }
  const node = statement.type === 'expression_statement' ? (namedChildren(statement)[0] ?? statement) : statement;
  if (node.type === 'lexical_declaration' || node.type === 'variable_declaration')
    return namedChildren(node).flatMap((each) => namesIn(text, childByField(each, 'name')));
  const isDeclaration = /^(?:abstract_)?(?:generator_)?(?:class|function|enum)_declaration$|^internal_module$/;
  const name = isDeclaration.test(node.type) ? childByField(node, 'name') : undefined;
  return name ? [text.slice(name.start, name.end)] : [];
}

/** The names in a pattern. */
function namesIn(text: string, node: SyntaxNode | undefined): string[] {
  if (!node) return [];
  if (node.type === 'identifier' || node.type === 'shorthand_property_identifier_pattern')
    return [text.slice(node.start, node.end)];
  const left = childByField(node, 'left') ?? childByField(node, 'value');
  return left ? namesIn(text, left) : namedChildren(node).flatMap((each) => namesIn(text, each));
}
