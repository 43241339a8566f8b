/** The light bulb: the verified repairs of the findings at the cursor, and the way to a rule's page. */

import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Range as ProtocolRange,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { Finding, Fix } from '../base/finding.ts';
import type { Analysis } from '../pipeline.ts';
import { toDiagnostic } from './diagnostics.ts';
import { spanRange, touches } from './ranges.ts';
import { explainCommand } from './rule-links.ts';

export interface CodeActionContext {
  readonly analysis: Analysis;
  /** The findings on the screen. */
  readonly shown: readonly Finding[];
  readonly hasCommands: boolean;
  /** Versions of open documents, so that an editor refuses an edit made for an older text. */
  readonly versionOf: (uri: string) => number | undefined;
}

/** A fix is proved by analysing the edited text, which is too dear to do twice for a light bulb that comes and goes. */
const knownFixes = new WeakMap<Finding, readonly Fix[]>();

/** All actions for the findings that the range touches; repairs first, the first one preferred. */
export function codeActions(context: CodeActionContext, range: ProtocolRange): CodeAction[] {
  const { analysis, shown, hasCommands } = context;
  const here = shown.filter(
    ({ span }) => span.file === analysis.file && touches(spanRange(analysis.sources, span), range),
  );
  const repairs = here.flatMap((finding) => repairsOf(context, finding));
  return hasCommands ? [...repairs, ...here.map((finding) => explanation(context, finding))] : repairs;
}

function repairsOf(context: CodeActionContext, finding: Finding): CodeAction[] {
  return fixesOf(context.analysis, finding).map((fix, index) => ({
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnosticOf(context, finding)],
    isPreferred: index === 0,
    edit: workspaceEdit(context, fix),
  }));
}

function explanation(context: CodeActionContext, finding: Finding): CodeAction {
  const title = `Explain ${finding.rule}`;
  return {
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnosticOf(context, finding)],
    command: { title, command: explainCommand, arguments: [finding.rule] },
  };
}

function diagnosticOf({ analysis, hasCommands }: CodeActionContext, finding: Finding): Diagnostic {
  return toDiagnostic(finding, analysis.sources, hasCommands);
}

function fixesOf(analysis: Analysis, finding: Finding): readonly Fix[] {
  const known = knownFixes.get(finding);
  if (known !== undefined) return known;
  const fixes = analysis.fixes(finding);
  knownFixes.set(finding, fixes);
  return fixes;
}

/** One document edit per file, in the order of the fix's edits. */
function workspaceEdit({ analysis, versionOf }: CodeActionContext, fix: Fix): WorkspaceEdit {
  const files = new Map<string, TextDocumentEdit>();
  for (const { span, newText } of fix.edits) {
    const edit = files.get(span.file) ?? {
      textDocument: { uri: span.file, version: versionOf(span.file) ?? null },
      edits: [],
    };
    edit.edits.push({ range: spanRange(analysis.sources, span), newText });
    files.set(span.file, edit);
  }
  return { documentChanges: [...files.values()] };
}
