/** `graphmem record`: tells how to record what the real driver does, on a machine with a GPU. */

export interface RecordIo {
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Where the package keeps the recorder's source, for whoever knows where the package is. */
const RECORDER_SOURCE = 'recorder/graphmem-recorder.cpp';

/** Prints the instructions; `source` is the recorder's path as the reader would type it. */
export async function record(arguments_: string[], io: RecordIo, source: string = RECORDER_SOURCE): Promise<number> {
  const unknown = arguments_.find((argument) => argument !== '--help' && argument !== '-h');
  if (unknown !== undefined) {
    io.stderr(`graphmem record: cannot understand ${unknown}; it takes no arguments and prints how to record\n`);
    return 2;
  }
  io.stdout(instructions(source));
  return 0;
}

function instructions(source: string): string {
  return `How to record what the CUDA driver does with a program's graph memory (on the machine with the GPU, Linux):

1. Build the program with the shared CUDA runtime; with the static one, which is nvcc's default, calls cannot be seen:
     nvcc -cudart shared -o program program.cu

2. Compile the recorder, one C++17 file that needs nothing but CUDA's headers (12.0 or later):
     g++ -O2 -shared -fPIC -std=c++17 -I"\${CUDA_HOME:-/usr/local/cuda}/include" \\
       ${source} -o libgraphmem-recorder.so -ldl

3. Run the program with it. It writes one JSON line when the program ends:
     GRAPHMEM_RECORDING=run.jsonl LD_PRELOAD=$PWD/libgraphmem-recorder.so ./program

   Launches that overlap change what the driver does, so say how long a node runs, if you know:
     GRAPHMEM_WORK_MICROSECONDS=300

4. Compare the recording with the prediction:
     graphmem replay run.jsonl
     graphmem replay run.jsonl --format jsonl      every answer as predicted

What is recorded: graphs as they were when first instantiated (nodes, edges, sizes, addresses), then launches, uploads,
frees, synchronisations, trims and destructions with their results and the four graph memory attributes of device 0.
What is not: kernels, data, names. Events, other devices and memory pools are not recorded yet.
`;
}
