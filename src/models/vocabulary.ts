/**
 * What rows of models can say: the verbs of their effects, and the fields of each. Messages about users' models, the JSON schema that
 * editors complete and explain them by (`model-schema.ts`), and the page in `docs` are made from this. A test holds our own rows against it.
 */

export interface Verb {
  /** One sentence. */
  readonly what: string;
  /** The fields that an effect must have. */
  readonly needs: readonly string[];
  /** Those that it may have. */
  readonly may?: readonly string[];
}

/** What a stream or a node does with memory, however it is asked for. */
const ofWork = [
  'label',
  'function',
  'kernelArguments',
  'argumentBuffer',
  'directArguments',
  'grid',
  'block',
  'cooperative',
  'attributes',
  'attributeCount',
  'reads',
  'writes',
  'touches',
  'bytes',
  'direction',
  'readsAt',
  'writesAt',
  'readsPitch',
  'writesPitch',
  'readLists',
  'writeLists',
  'touchLists',
  'listCount',
  'listBytes',
  'symbolReads',
  'symbolWrites',
  'symbolOffset',
  'userData',
  'event',
  'awaits',
  'tells',
];

/** What only a node can be given. */
const ofNodes = ['child', 'moved', 'pointer', 'properties', 'free', 'bodies', 'bodyCount'];

export const verbs: Readonly<Record<string, Verb>> = {
  'memory.allocate': {
    what: 'Allocates memory at once, as cudaMalloc, cudaMallocHost and cudaMallocManaged do.',
    needs: ['pointer', 'origin'],
    may: ['bytes'],
  },
  'memory.allocateAsync': {
    what: 'Allocates memory in the order of a stream, as cudaMallocAsync does.',
    needs: ['pointer', 'bytes', 'stream'],
    may: ['pool'],
  },
  'memory.free': { what: 'Frees memory of the device at once, as cudaFree does.', needs: ['pointer'] },
  'memory.freeAsync': {
    what: 'Frees memory in the order of a stream, as cudaFreeAsync does.',
    needs: ['pointer', 'stream'],
  },
  'memory.freeHost': { what: 'Frees pinned memory of the host, as cudaFreeHost does.', needs: ['pointer'] },
  'memory.ask': { what: 'Asks or advises about managed memory, which must still be there.', needs: ['pointer'] },
  'host.pin': { what: 'Pins memory of the host, as cudaHostRegister does.', needs: ['pointer'] },
  'host.unpin': { what: 'Undoes host.pin, as cudaHostUnregister does.', needs: ['pointer'] },
  'host.synchronise': {
    what: 'The host waits for a stream, an event or the whole device; with query it only asks.',
    needs: ['scope'],
    may: ['handle', 'query'],
  },
  'stream.create': { what: 'Makes a stream.', needs: ['stream'], may: ['flags'] },
  'stream.destroy': { what: 'Destroys a stream.', needs: ['stream'] },
  'stream.wait': {
    what: 'A stream waits for an event, as cudaStreamWaitEvent does.',
    needs: ['stream', 'event'],
    may: ['flags'],
  },
  'stream.operation': {
    what: 'Puts work into a stream: a kernel, a copy, a memset, a function of the host.',
    needs: ['stream', 'kind'],
    may: [...ofWork, 'blocking'],
  },
  'event.create': { what: 'Makes an event.', needs: ['event'] },
  'event.destroy': { what: 'Destroys an event.', needs: ['event'] },
  'event.record': { what: 'Records an event in a stream.', needs: ['event', 'stream'], may: ['flags'] },
  'graph.create': { what: 'Makes an empty graph.', needs: ['graph'] },
  'graph.clone': { what: 'Copies a graph.', needs: ['graph', 'source'] },
  'graph.destroy': { what: 'Destroys a graph.', needs: ['graph'] },
  'graph.nodes': {
    what: 'Lists the nodes of a graph, or its roots.',
    needs: ['graph', 'list', 'count'],
    may: ['roots'],
  },
  'graph.edges': { what: 'Lists the dependencies of a graph.', needs: ['graph', 'from', 'to', 'count'] },
  'node.add': {
    what: 'Adds a node to a graph, behind those it depends on.',
    needs: ['node', 'graph', 'dependencies', 'kind'],
    may: [...ofWork, ...ofNodes, 'direction', 'count', 'edgeData'],
  },
  'node.update': {
    what: 'Gives a node of a graph new parameters.',
    needs: ['node', 'kind'],
    may: [...ofWork, ...ofNodes],
  },
  'node.destroy': { what: 'Takes a node out of its graph.', needs: ['node'] },
  'node.enable': {
    what: 'Switches a node of an executable graph on or off.',
    needs: ['exec', 'node'],
    may: ['enabled'],
  },
  'node.child': { what: 'Gives the graph inside a child graph node.', needs: ['node', 'graph'] },
  'node.inClone': {
    what: 'Finds the node of a clone that stands for one of its original.',
    needs: ['target', 'node', 'graph'],
  },
  'node.kernel': {
    what: 'Tells what a kernel node launches.',
    needs: ['node', 'function', 'kernelArguments'],
  },
  'node.neighbours': {
    what: 'Lists the nodes that a node depends on, or those behind it.',
    needs: ['node', 'list', 'count'],
    may: ['after'],
  },
  'node.parameters': { what: 'Tells the address that a memory allocation node gives.', needs: ['node', 'pointer'] },
  'edges.add': {
    what: 'Adds dependencies between nodes of a graph.',
    needs: ['graph', 'from', 'to'],
    may: ['count', 'edgeData'],
  },
  'edges.remove': {
    what: 'Removes dependencies between nodes of a graph.',
    needs: ['graph', 'from', 'to'],
    may: ['count'],
  },
  'exec.instantiate': {
    what: 'Makes an executable graph of a graph.',
    needs: ['exec', 'graph'],
    may: ['flags', 'uploadStream'],
  },
  'exec.launch': { what: 'Launches an executable graph in a stream.', needs: ['exec', 'stream'] },
  'exec.upload': { what: 'Uploads an executable graph in a stream.', needs: ['exec', 'stream'] },
  'exec.destroy': { what: 'Destroys an executable graph.', needs: ['exec'] },
  'exec.update': {
    what: 'Updates an executable graph by a graph of the same shape.',
    needs: ['exec', 'graph'],
    may: ['result', 'legacyResult'],
  },
  'exec.updateNode': {
    what: 'Gives a node of an executable graph new parameters, for later launches.',
    needs: ['exec', 'node'],
    may: ['kind', ...ofWork, ...ofNodes],
  },
  'capture.begin': {
    what: 'A stream begins to capture, perhaps into a graph that is there.',
    needs: ['stream', 'mode'],
    may: ['graph', 'dependencies', 'count'],
  },
  'capture.end': { what: 'A stream ends its capture and gives the graph.', needs: ['stream', 'graph'] },
  'capture.info': {
    what: 'Tells of the capture of a stream, with its graph and what the next node will depend on.',
    needs: ['stream', 'status'],
    may: ['id', 'graph', 'dependencies', 'count', 'edges'],
  },
  'capture.update': {
    what: 'Changes what the next node that a stream captures depends on.',
    needs: ['stream', 'dependencies', 'count'],
    may: ['flags'],
  },
  'thread.captureMode': { what: 'Exchanges the capture mode of the thread.', needs: ['mode'] },
  'pool.create': { what: 'Makes a memory pool.', needs: ['pool'], may: ['properties', 'imported'] },
  'pool.current': { what: 'Gives the pool that a device allocates from.', needs: ['pool'], may: ['device'] },
  'pool.default': { what: 'Gives the pool that a device has by itself.', needs: ['pool'], may: ['device'] },
  'pool.set': { what: 'Gives a device another pool to allocate from.', needs: ['pool'], may: ['device'] },
  'pool.destroy': { what: 'Destroys a memory pool.', needs: ['pool'] },
  'pool.access': { what: 'Says which devices may use the memory of a pool.', needs: ['pool', 'access', 'count'] },
  'device.set': { what: 'Chooses the device of the thread.', needs: ['device'] },
  'device.reset': { what: 'Ends all that the chosen device has, as cudaDeviceReset does.', needs: [] },
  'device.trim': {
    what: 'Gives back memory that graphs do not use, as cudaDeviceGraphMemTrim does.',
    needs: ['device'],
  },
  'device.setAttribute': {
    what: 'Sets an attribute of the memory of graphs.',
    needs: ['device', 'attribute', 'value'],
  },
  'library.create': { what: 'Makes the handle of a library, as cublasCreate does.', needs: ['library'] },
  'library.setStream': {
    what: 'Says which stream the calls with a handle of a library work in.',
    needs: ['library', 'stream'],
    may: ['dropsWorkspace'],
  },
  'library.getStream': {
    what: 'Gives the stream of a handle of a library, at its second argument.',
    needs: ['library'],
  },
  'library.setWorkspace': {
    what: 'Gives a handle of a library memory to work in.',
    needs: ['library', 'workspace'],
  },
  'library.call': {
    what:
      'Work of a library in the stream that it is given, or that its handle was given. Without reads and writes it uses ' +
      'the pointers it is given in a way that nobody knows.',
    needs: [],
    may: [
      'library',
      'kind',
      ...ofWork,
      'count',
      'waits',
      'waitsUnlessOnDevice',
      'askedWithoutWorkspace',
      'onlyWithMemory',
      'mayHavePolicy',
      'calledWith',
    ],
  },
  'library.answer': {
    what: 'Only tells something: what pointers to numbers lead to is not known behind it.',
    needs: [],
  },
  'symbol.address': { what: 'Gives the address of a variable of the device.', needs: [] },
  'error.clear': { what: 'Gives the last error and forgets it.', needs: [] },
  'capture.refuse': { what: 'Is refused in a stream that captures, whatever the mode.', needs: ['stream'] },
  'callback.keep': {
    what: 'Keeps a function that is called when nobody needs an object any more, as cudaUserObjectCreate does.',
    needs: ['function'],
  },
  'query.capture': { what: 'Tells whether a stream captures.', needs: ['stream', 'target'] },
  'query.graphMemory': {
    what: 'Tells how much memory graphs use.',
    needs: ['device', 'attribute', 'target'],
  },
  'query.handles': { what: 'Asks something of handles, which must still be there.', needs: ['type', 'handles'] },
  'query.memory': {
    what: 'Asks something of memory by its address, which no stream may have been told to free.',
    needs: ['pointer'],
  },
  'query.nodeType': { what: 'Tells of what kind a node is.', needs: ['node', 'target'] },
  'query.peerAccess': { what: 'Tells whether one device can reach the memory of another.', needs: ['target'] },
  'query.pointer': {
    what: 'Tells of which kind memory is, as cudaPointerGetAttributes does.',
    needs: ['target', 'pointer'],
  },
  'write.device': { what: 'Writes the number of the device that the thread has chosen.', needs: ['target'] },
  'write.function': {
    what: 'Writes the function of a name, as an entry point of the driver.',
    needs: ['target', 'name'],
  },
  'write.kernel': { what: 'Writes the kernel of a name, as out of a module.', needs: ['target', 'name'] },
  'write.number': {
    what: 'Writes a number that nobody knows, but that is the same one wherever it is copied to.',
    needs: ['target'],
    may: ['label'],
  },
  'write.likely': { what: 'Writes a number that nobody knows and that is usually not 0.', needs: ['target'] },
  'write.pointees': { what: 'Writes numbers that nobody knows to whatever its arguments point to.', needs: [] },
  'write.unknown': { what: 'Writes something that nobody knows.', needs: ['target'] },
  'write.value': { what: 'Writes what another path has.', needs: ['target', 'value'] },
};
