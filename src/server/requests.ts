/** What the client asks about a document: hovers, lenses, repairs, pictures. */

import {
  type CancellationToken,
  CodeActionKind,
  type CodeActionParams,
  type CodeLensParams,
  type Connection,
  type Hover,
  type HoverParams,
  LSPErrorCodes,
  MarkupKind,
  ResponseError,
} from 'vscode-languageserver';
import type { Analysis } from '../pipeline.ts';
import {
  type SceneParams,
  type SceneResult,
  sceneRequest,
  type WhatIfEditsResult,
  whatIfEditsRequest,
} from '../scene/requests.ts';
import type { AnalysedDocument } from './analyser.ts';
import type { Attempts } from './attempt.ts';
import { codeActions } from './code-actions.ts';
import { codeLenses } from './code-lens.ts';
import { spanRange, toOffset } from './ranges.ts';
import { sceneOf, whatIfEditsOf } from './scene.ts';

/** What the answers are made of. */
export interface RequestContext {
  readonly engineIsReady: () => Promise<void>;
  /** The analysis of the document's newest text; undefined when it is not open. */
  readonly analysed: (uri: string) => AnalysedDocument | undefined;
  readonly attempts: Attempts;
  /** The client knows the extension's commands. */
  readonly hasCommands: () => boolean;
  readonly versionOf: (uri: string) => number | undefined;
}

/** Installs the handlers of all requests. */
export function answerRequests(connection: Connection, context: RequestContext): void {
  const { engineIsReady, analysed, attempts, hasCommands, versionOf } = context;

  /** What a request about a document may look at; undefined when there is nothing of ours in it. */
  const analysisFor = async (uri: string): Promise<Analysis | undefined> => {
    await engineIsReady();
    const outcome = analysed(uri)?.outcome;
    if (outcome?.kind === 'stale') throw new ResponseError(LSPErrorCodes.ContentModified, 'the text has changed');
    return outcome?.kind === 'analysed' ? outcome.analysis : undefined;
  };

  /** A failure of the engine is logged and costs this one answer. */
  const attemptOr = <T>(otherwise: T, action: () => T): T => {
    const result = attempts.attempt(action);
    if (result.kind === 'failed') connection.console.error(result.reason);
    return result.kind === 'done' ? result.value : otherwise;
  };

  connection.onHover(async ({ textDocument, position }: HoverParams): Promise<Hover | null> => {
    const analysis = await analysisFor(textDocument.uri);
    const source = analysis?.sources.get(textDocument.uri);
    if (analysis === undefined || source === undefined) return null;
    const hover = attemptOr(undefined, () => analysis.hover(toOffset(source, position)));
    if (hover === undefined) return null;
    return {
      contents: { kind: MarkupKind.Markdown, value: hover.markdown },
      range: spanRange(analysis.sources, hover.span),
    };
  });

  connection.onCodeLens(async ({ textDocument }: CodeLensParams) => {
    const analysis = await analysisFor(textDocument.uri);
    return analysis === undefined ? [] : codeLenses(analysis, hasCommands());
  });

  connection.onCodeAction(async ({ textDocument, range, context: asked }: CodeActionParams) => {
    if (asked.only !== undefined && !asked.only.some((kind) => kind === '' || kind === CodeActionKind.QuickFix)) {
      return [];
    }
    const analysis = await analysisFor(textDocument.uri);
    if (analysis === undefined) return [];
    const shown = analysed(textDocument.uri)?.shown ?? [];
    return attemptOr([], () => codeActions({ analysis, shown, hasCommands: hasCommands(), versionOf }, range));
  });

  connection.onRequest<SceneResult, void>(sceneRequest, async (params: SceneParams, token: CancellationToken) => {
    await engineIsReady();
    return sceneOf(analysed(params.uri), params, (action) =>
      attempts.attempt(action, () => token.isCancellationRequested),
    );
  });

  connection.onRequest<WhatIfEditsResult, void>(whatIfEditsRequest, async (params: SceneParams, token) => {
    await engineIsReady();
    return whatIfEditsOf(analysed(params.uri), params, (action) =>
      attempts.attempt(action, () => token.isCancellationRequested),
    );
  });
}
