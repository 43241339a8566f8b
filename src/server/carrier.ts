/**
 * The main thread of the server's process. It carries messages between the client and the thread that analyses, so that
 * the client is heard even while an analysis runs: edits are counted, and the cancelling of a request takes effect at once.
 */

import { Worker } from 'node:worker_threads';
import {
  createServerPipeTransport,
  createServerSocketTransport,
  IPCMessageReader,
  IPCMessageWriter,
  type Message,
  type MessageReader,
  type MessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { countEdit, createSharedEdits } from './shared-edits.ts';
import { maxYoungGenerationSizeMb } from './young-generation.ts';

const usage = 'say how to talk to the client: --stdio, --node-ipc, --pipe=NAME or --socket=PORT';

/** Starts `script` as the analysing thread and carries messages until either side ends; then the process ends. */
export function carryMessages(script: string, argv: readonly string[]): void {
  const transport = openTransport(argv);
  if (transport === undefined) {
    process.stderr.write(`graphmem: ${usage}\n`);
    process.exitCode = 2;
    return;
  }
  const [reader, writer] = transport;
  const edits = createSharedEdits();
  const cancellations = new Map<unknown, Int32Array>();
  const worker = new Worker(script, {
    workerData: edits,
    argv: [...argv],
    stdout: true,
    resourceLimits: { maxYoungGenerationSizeMb },
  });

  reader.listen((message) => {
    countEdit(edits, message);
    worker.postMessage(withCancellation(message, cancellations));
  });
  worker.on('message', (message: Message) => {
    const { id, method } = message as Partial<Record<'id' | 'method', unknown>>;
    if (method === undefined) cancellations.delete(id);
    writer.write(message).catch(() => process.exit(1));
  });
  worker.on('error', (error) => process.stderr.write(`graphmem: ${error.stack ?? error.message}\n`));
  worker.on('exit', (code) => process.exit(code));
  // A client that is gone hears no answer; there is nothing to finish.
  reader.onClose(() => process.exit(1));
  // What is no pipe ends without being closed.
  if (argv.includes('--stdio')) process.stdin.once('end', () => process.exit(1));
}

/**
 * Gives a request a flag in shared memory and raises it when the request is cancelled. The receiving side is
 * `SharedArrayReceiverStrategy` of vscode-jsonrpc, which looks for it under this name.
 */
function withCancellation(message: Message, cancellations: Map<unknown, Int32Array>): Message {
  const { id, method, params } = message as Partial<Record<'id' | 'method' | 'params', unknown>>;
  if (method === '$/cancelRequest') {
    const flag = cancellations.get((params as { id?: unknown } | undefined)?.id);
    if (flag !== undefined) Atomics.store(flag, 0, 1);
  }
  if (method === undefined || id === undefined || id === null) return message;
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  cancellations.set(id, new Int32Array(memory));
  return { ...message, $cancellationData: memory } as Message;
}

function openTransport(argv: readonly string[]): readonly [MessageReader, MessageWriter] | undefined {
  if (argv.includes('--node-ipc')) return [new IPCMessageReader(process), new IPCMessageWriter(process)];
  if (argv.includes('--stdio'))
    return [new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout)];
  const pipe = option(argv, '--pipe');
  if (pipe !== undefined) return createServerPipeTransport(pipe);
  const socket = option(argv, '--socket');
  return socket === undefined ? undefined : createServerSocketTransport(Number(socket));
}

/** `--name=value` or `--name value`. */
function option(argv: readonly string[], name: string): string | undefined {
  const joined = argv.find((each) => each.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  const index = argv.indexOf(name);
  return index < 0 ? undefined : argv[index + 1];
}
