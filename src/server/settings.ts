/** The client's wishes, read from whatever it sent: unknown or malformed values fall back to the default. */

/** A user's model file; without `text` the server reads it where it can. */
export interface ModelFile {
  readonly file: string;
  readonly text?: string;
}

export interface ServerSettings {
  readonly enable: boolean;
  readonly models: readonly ModelFile[];
  /** Symbols that code is compiled with, `NAME` or `NAME=VALUE`. */
  readonly defines: readonly string[];
  /** The client knows the extension's commands, so lenses and code actions may name them. */
  readonly commands: boolean;
  /** Contents of wasm files by name, for hosts that have no files of their own. */
  readonly wasm: ReadonlyMap<string, Uint8Array>;
}

export const defaultSettings: ServerSettings = {
  enable: true,
  models: [],
  defines: [],
  commands: false,
  wasm: new Map(),
};

/** `initializationOptions` of the `initialize` request. */
export function settingsFromInitialization(options: unknown): ServerSettings {
  const record = asRecord(options);
  return {
    ...settingsFromConfiguration(defaultSettings, record),
    commands: record['commands'] === true,
    wasm: wasmFiles(record['wasm']),
  };
}

/** `settings` of `workspace/didChangeConfiguration`, with or without the section's name around it. */
export function settingsFromConfiguration(previous: ServerSettings, configuration: unknown): ServerSettings {
  const outer = asRecord(configuration);
  const section = 'graphmem' in outer ? asRecord(outer['graphmem']) : outer;
  const enable = section['enable'];
  const models = section['models'];
  const defines: unknown = section['defines'];
  return {
    ...previous,
    enable: typeof enable === 'boolean' ? enable : previous.enable,
    models: Array.isArray(models) ? models.flatMap(modelFile) : previous.models,
    defines: Array.isArray(defines) ? defines.filter((each) => typeof each === 'string') : previous.defines,
  };
}

function modelFile(value: unknown): ModelFile[] {
  if (typeof value === 'string') return [{ file: value }];
  const { file, text } = asRecord(value);
  if (typeof file !== 'string') return [];
  return [typeof text === 'string' ? { file, text } : { file }];
}

function wasmFiles(value: unknown): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [name, bytes] of Object.entries(asRecord(value))) {
    if (bytes instanceof Uint8Array) files.set(name, bytes);
  }
  return files;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
