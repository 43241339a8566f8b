/**
 * Keeps one analysis per open document, of its newest text, and decides when to make the next.
 *
 *     edit ──▶ wait (0–30 ms, by how long the last one took) ──▶ analyse ──▶ publish
 *       └───── a further edit starts the wait anew and outdates an analysis that is under way
 *
 * A document is also analysed again when a file that took part in its last analysis changes.
 */

import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding } from '../base/finding.ts';
import type { AnalysisInput, Engine } from '../pipeline.ts';
import { createRelevance } from '../relevance/relevance.ts';
import { analyseDocument, type Outcome, rehearseDocument, type Surroundings } from './analyse-document.ts';
import type { Attempts } from './attempt.ts';
import { createRehearsals, quick } from './rehearsals.ts';
import { createWhileTyping } from './while-typing.ts';

export interface AnalysedDocument {
  readonly document: TextDocument;
  readonly version: number;
  readonly outcome: Outcome;
  /** The findings to show now: while something is being typed, not all. */
  readonly shown: readonly Finding[];
  /** From the edit's arrival to the end of the analysis. */
  readonly milliseconds: number;
  /** Of the analysis alone. */
  readonly duration: number;
}

export interface AnalyserHost {
  /** Undefined while the engine is being loaded, or when it could not be. */
  readonly engine: () => Engine | undefined;
  readonly documents: () => readonly TextDocument[];
  readonly isEnabled: () => boolean;
  readonly attempts: Attempts;
  readonly readInclude: NonNullable<AnalysisInput['readInclude']>;
  readonly sourcesNear: NonNullable<AnalysisInput['sourcesNear']>;
  readonly models: () => NonNullable<AnalysisInput['models']>;
  /** Symbols that a document is compiled with. */
  readonly defines: (uri: string) => NonNullable<AnalysisInput['defines']>;
  readonly editsWaiting: (uri: string) => boolean;
  /** As in `ServerHost`. */
  readonly messages: (() => number) | undefined;
  /** Called with every new outcome that is still true of the document. */
  readonly publish: (analysed: AnalysedDocument) => void;
}

export interface Analyser {
  /** The document was opened or edited. */
  changed(document: TextDocument): void;
  /** The document was saved: its text is meant as it stands. */
  saved(document: TextDocument): void;
  closed(uri: string): void;
  /** A file on disk changed: whoever reads it is analysed again. */
  fileChanged(uri: string): void;
  /** The settings or the engine changed: every document is analysed again. */
  restart(): void;
  /** The analysis of the document's newest text, made now if need be; undefined when it is not open. */
  current(uri: string): AnalysedDocument | undefined;
  dispose(): void;
}

/** Milliseconds. */
const longestWait = 30;

/** Creates an analyser with nothing scheduled. */
export function createAnalyser(host: AnalyserHost): Analyser {
  const analysed = new Map<string, AnalysedDocument>();
  const whileTyping = createWhileTyping();
  const relevance = createRelevance();
  const rehearsals = createRehearsals(host.messages);
  const arrivals = new Map<string, number>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  const schedule = (document: TextDocument) => {
    const { uri } = document;
    arrivals.set(uri, performance.now());
    clearTimeout(timers.get(uri));
    timers.set(uri, setTimeout(run, waitAfter(analysed.get(uri)), document));
  };

  /** Forgets the last analysis as well, because its text did not change but its surroundings did. */
  const scheduleAgain = (document: TextDocument) => {
    analysed.delete(document.uri);
    schedule(document);
  };

  const surroundingsOf = (uri: string, isTyped: boolean, isStale: () => boolean): Surroundings => ({
    readInclude: host.readInclude,
    sourcesNear: host.sourcesNear,
    models: host.models(),
    defines: host.defines(uri),
    isStale,
    isTyped,
    attempts: host.attempts,
    relevance,
  });

  /** `isTyped`: an edit made the text what it is, and not a save. */
  const run = (document: TextDocument, isTyped = true): AnalysedDocument | undefined => {
    const engine = host.engine();
    const { uri, version } = document;
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    if (engine === undefined) return undefined;
    const started = performance.now();
    const outcome = host.isEnabled()
      ? analyseDocument(
          engine,
          document,
          surroundingsOf(uri, isTyped, () => host.editsWaiting(uri)),
        )
      : ({ kind: 'irrelevant' } as const);
    const ended = performance.now();
    const milliseconds = ended - (arrivals.get(uri) ?? started);
    const shown = outcome.kind === 'analysed' ? whileTyping.shown(uri, outcome.analysis) : [];
    const result: AnalysedDocument = { document, version, outcome, shown, milliseconds, duration: ended - started };
    if (outcome.kind === 'stale') return result;
    analysed.set(uri, result);
    host.publish(result);
    if (outcome.kind === 'analysed')
      rehearsals.analysed(result.duration, (isStale) =>
        rehearseDocument(engine, document, surroundingsOf(uri, true, isStale)),
      );
    return result;
  };

  /** `isHeader`: it may decide whether a document that includes it has anything of ours. */
  const rerunReadersOf = (uri: string, isHeader: boolean) => {
    for (const document of host.documents()) {
      const last = analysed.get(document.uri);
      const isReader = reads(last, uri) || (isHeader && last?.outcome.kind === 'irrelevant');
      if (document.uri !== uri && isReader) scheduleAgain(document);
    }
  };

  return {
    changed(document) {
      schedule(document);
      rerunReadersOf(document.uri, relevance.edited(document.uri, document.getText()));
    },
    saved(document) {
      whileTyping.forget(document.uri);
      const last = analysed.get(document.uri)?.outcome;
      if (last?.kind === 'analysed' && last.analysis.halfTyped().size > 0) run(document, false);
    },
    closed(uri) {
      whileTyping.forget(uri);
      clearTimeout(timers.get(uri));
      timers.delete(uri);
      arrivals.delete(uri);
      analysed.delete(uri);
      // What is on disk may be another text.
      relevance.forget();
      rerunReadersOf(uri, true);
    },
    fileChanged(uri) {
      relevance.forget();
      rerunReadersOf(uri, true);
    },
    restart() {
      for (const document of host.documents()) scheduleAgain(document);
    },
    current(uri) {
      const document = host.documents().find((each) => each.uri === uri);
      if (document === undefined) return undefined;
      const last = analysed.get(uri);
      return last?.version === document.version ? last : run(document);
    },
    dispose() {
      rehearsals.dispose();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** A quick analysis may run at every key; a slow one waits for a pause in the typing. */
function waitAfter(last: AnalysedDocument | undefined): number {
  if (last === undefined || last.duration < quick) return 0;
  return Math.min(longestWait, last.duration / 2);
}

function reads(last: AnalysedDocument | undefined, uri: string): boolean {
  return last?.outcome.kind === 'analysed' && last.outcome.analysis.sources.has(uri);
}
