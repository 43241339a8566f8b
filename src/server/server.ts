/** The language server: connects the protocol's events to the analyser, and the analyser's results to the protocol. */

import {
  type CancellationToken,
  CodeActionKind,
  type CodeActionParams,
  type CodeLensParams,
  type Connection,
  type Diagnostic,
  type Hover,
  type HoverParams,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  MarkupKind,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding, Gap } from '../base/finding.ts';
import { rangeOf } from '../base/source-text.ts';
import type { Analysis, Engine } from '../pipeline.ts';
import {
  type AnalysedParams,
  analysedNotification,
  type SceneParams,
  type SceneResult,
  sceneRequest,
  type WhatIfEditsResult,
  whatIfEditsRequest,
} from '../scene/requests.ts';
import { type AnalysedDocument, createAnalyser } from './analyser.ts';
import { createAttempts, reasonOf } from './attempt.ts';
import { codeActions } from './code-actions.ts';
import { codeLenses } from './code-lens.ts';
import { diagnosticsByFile, quarantineDiagnostic } from './diagnostics.ts';
import type { ServerHost } from './host.ts';
import { createCompilation } from './includes.ts';
import { type LoadedModels, loadModels } from './models.ts';
import { createPublishedDiagnostics } from './published.ts';
import { spanRange, toOffset } from './ranges.ts';
import { sceneOf, whatIfEditsOf } from './scene.ts';
import {
  defaultSettings,
  type ServerSettings,
  settingsFromConfiguration,
  settingsFromInitialization,
} from './settings.ts';

/** An analysis or a picture that takes longer is given up. */
const timeLimit = 30_000;

/** Installs every handler and starts listening. The connection decides when it ends. */
export function createServer(connection: Connection, host: ServerHost): void {
  let settings: ServerSettings = defaultSettings;
  let models: LoadedModels['models'] = [];
  let engine: Engine | undefined;
  let engineIsReady: Promise<void> = Promise.resolve();
  const documents = new TextDocuments(TextDocument);
  const attempts = createAttempts(timeLimit);
  /** Documents that the client was told of; of the many that are none of ours it never hears. */
  const told = new Set<string>();
  const versionOf = (uri: string) => documents.get(uri)?.version;
  const published = createPublishedDiagnostics((params) => void connection.sendDiagnostics(params), versionOf);
  const readText = (uri: string) => documents.get(uri)?.getText() ?? host.readFile?.(uri);

  const compilation = createCompilation(readText);

  const analyser = createAnalyser({
    engine: () => engine,
    documents: () => documents.all(),
    isEnabled: () => settings.enable,
    attempts,
    readInclude: compilation.readInclude,
    models: () => models,
    defines: (uri) => [...compilation.defines(uri), ...settings.defines],
    editsWaiting: host.editsWaiting ?? (() => false),
    publish,
  });

  function publish(result: AnalysedDocument): void {
    const { uri } = result.document;
    if (result.outcome.kind === 'analysed') {
      published.replace(uri, diagnosticsOf(result.outcome.analysis, result.shown));
    } else if (result.outcome.kind === 'quarantined') {
      connection.console.error(`${uri}: ${result.outcome.reason}`);
      published.replace(uri, new Map([[uri, [quarantineDiagnostic(result.outcome.reason)]]]));
    } else {
      published.replace(uri, new Map());
    }
    if (result.outcome.kind !== 'irrelevant' || told.has(uri)) {
      told.add(uri);
      void connection.sendNotification(analysedNotification, analysedParams(result));
    }
  }

  /** An engine that gave up by itself says so in the analysis; the user must learn of it all the same. */
  function diagnosticsOf(analysis: Analysis, shown: readonly Finding[]): Map<string, Diagnostic[]> {
    const files = diagnosticsByFile(analysis, shown, settings.commands);
    if (analysis.status === 'quarantined') {
      files.get(analysis.file)?.push(quarantineDiagnostic(analysis.gaps[0]?.name ?? 'it is beyond our limits'));
    }
    return files;
  }

  /** A notification: unlike `connection.window.show…` it waits for no answer. */
  function tell(type: MessageType, message: string): void {
    void connection.sendNotification(ShowMessageNotification.type, { type, message });
  }

  function readModels(): void {
    const loaded = loadModels(settings.models, host.readFile);
    models = loaded.models;
    for (const problem of loaded.problems) tell(MessageType.Warning, `Graph Memory Debugger: ${problem}`);
  }

  async function loadEngine(): Promise<void> {
    try {
      engine = await host.createEngine(settings);
    } catch (error) {
      tell(MessageType.Error, `Graph Memory Debugger cannot start: ${reasonOf(error)}`);
    }
    analyser.restart();
  }

  /** What a request about a document may look at; undefined when there is nothing of ours in it. */
  async function analysisFor(uri: string): Promise<Analysis | undefined> {
    await engineIsReady;
    const outcome = analyser.current(uri)?.outcome;
    if (outcome?.kind === 'stale') throw new ResponseError(LSPErrorCodes.ContentModified, 'the text has changed');
    return outcome?.kind === 'analysed' ? outcome.analysis : undefined;
  }

  /** A failure of the engine is logged and costs this one answer. */
  function attemptOr<T>(otherwise: T, action: () => T): T {
    const result = attempts.attempt(action);
    if (result.kind === 'failed') connection.console.error(result.reason);
    return result.kind === 'done' ? result.value : otherwise;
  }

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    settings = settingsFromInitialization(params.initializationOptions);
    readModels();
    engineIsReady = loadEngine();
    return {
      serverInfo: { name: 'graphmem' },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        codeLensProvider: {},
        hoverProvider: true,
      },
    };
  });

  connection.onDidChangeConfiguration(({ settings: configuration }) => {
    settings = settingsFromConfiguration(settings, configuration);
    readModels();
    analyser.restart();
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) analyser.fileChanged(uri);
  });

  documents.onDidChangeContent(({ document }) => analyser.changed(document));
  documents.onDidSave(({ document }) => analyser.saved(document));
  documents.onDidClose(({ document }) => {
    analyser.closed(document.uri);
    published.remove(document.uri);
    told.delete(document.uri);
  });

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
    return analysis === undefined ? [] : codeLenses(analysis, settings.commands);
  });

  connection.onCodeAction(async ({ textDocument, range, context }: CodeActionParams) => {
    if (context.only !== undefined && !context.only.some((kind) => kind === '' || kind === CodeActionKind.QuickFix)) {
      return [];
    }
    const analysis = await analysisFor(textDocument.uri);
    if (analysis === undefined) return [];
    const shown = analyser.current(textDocument.uri)?.shown ?? [];
    return attemptOr([], () => codeActions({ analysis, shown, hasCommands: settings.commands, versionOf }, range));
  });

  connection.onRequest<SceneResult, void>(sceneRequest, async (params: SceneParams, token: CancellationToken) => {
    await engineIsReady;
    return sceneOf(analyser.current(params.uri), params, (action) =>
      attempts.attempt(action, () => token.isCancellationRequested),
    );
  });

  connection.onRequest<WhatIfEditsResult, void>(whatIfEditsRequest, async (params: SceneParams, token) => {
    await engineIsReady;
    return whatIfEditsOf(analyser.current(params.uri), params, (action) =>
      attempts.attempt(action, () => token.isCancellationRequested),
    );
  });

  connection.onShutdown(() => analyser.dispose());
  documents.listen(connection);
  connection.listen();
}

function analysedParams({ document, version, outcome, shown, milliseconds }: AnalysedDocument): AnalysedParams {
  const analysis = outcome.kind === 'analysed' ? outcome.analysis : undefined;
  return {
    uri: document.uri,
    version,
    findings: shown.length,
    gaps: analysis === undefined ? [] : analysis.gaps.map((gap) => placedGap(gap, analysis)),
    milliseconds,
    status: outcome.kind === 'quarantined' ? 'quarantined' : (analysis?.status ?? 'ok'),
  };
}

function placedGap({ kind, name, span }: Gap, { sources }: Analysis): AnalysedParams['gaps'][number] {
  const source = sources.get(span.file);
  const start = { line: 1, column: 1 };
  return { kind, name, range: source === undefined ? { start, end: start } : rangeOf(source, span) };
}
