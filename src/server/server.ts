/** The language server: connects the protocol's events to the analyser, and the analyser's results to the protocol. */

import {
  CodeActionKind,
  type Connection,
  FileChangeType,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Engine } from '../pipeline.ts';
import { createAnalyser } from './analyser.ts';
import { createAttempts, reasonOf } from './attempt.ts';
import type { ServerHost } from './host.ts';
import { createCompilation } from './includes.ts';
import { type LoadedModels, loadModels } from './models.ts';
import { createRecentAnswers } from './recent-answers.ts';
import { createReports } from './reports.ts';
import { answerRequests } from './requests.ts';
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
  const versionOf = (uri: string) => documents.get(uri)?.version;
  const reports = createReports(connection, versionOf, () => settings.commands);
  const recent = createRecentAnswers();
  const readText = (uri: string) => documents.get(uri)?.getText() ?? recent.of(uri, () => host.readFile?.(uri));
  const newCompilation = () => createCompilation(readText, host.listFolder, recent);
  let compilation = newCompilation();

  const analyser = createAnalyser({
    engine: () => engine,
    documents: () => documents.all(),
    isEnabled: () => settings.enable,
    attempts,
    readInclude: (name, from, isAngled) => compilation.readInclude(name, from, isAngled),
    sourcesNear: (uri, headers) => compilation.sourcesNear(uri, headers),
    models: () => models,
    defines: (uri) => [...compilation.defines(uri), ...settings.defines],
    editsWaiting: host.editsWaiting ?? (() => false),
    messages: host.messages,
    publish: reports.publish,
  });

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
    recent.forget();
    // What lies in a folder is known from before.
    if (changes.some(({ type }) => type !== FileChangeType.Changed)) compilation = newCompilation();
    for (const { uri } of changes) analyser.fileChanged(uri);
    // How everything is compiled hangs on it.
    if (!changes.some(({ uri }) => uri.endsWith('/compile_commands.json'))) return;
    compilation = newCompilation();
    analyser.restart();
  });

  documents.onDidChangeContent(({ document }) => analyser.changed(document));
  documents.onDidOpen(() => recent.forget());
  documents.onDidSave(({ document }) => {
    recent.forget();
    analyser.saved(document);
  });
  documents.onDidClose(({ document }) => {
    recent.forget();
    analyser.closed(document.uri);
    reports.remove(document.uri);
  });

  answerRequests(connection, {
    engineIsReady: () => engineIsReady,
    analysed: (uri) => analyser.current(uri),
    attempts,
    hasCommands: () => settings.commands,
    versionOf,
  });
  connection.onShutdown(() => analyser.dispose());
  documents.listen(connection);
  connection.listen();
}
