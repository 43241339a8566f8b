// Records what a program does with CUDA graph memory, for `graphmem replay`.
//
//     g++ -O2 -shared -fPIC -std=c++17 -I"$CUDA_HOME/include" graphmem-recorder.cpp -o libgraphmem-recorder.so -ldl
//     GRAPHMEM_RECORDING=run.jsonl LD_PRELOAD=$PWD/libgraphmem-recorder.so ./program
//
// The program has to use the shared CUDA runtime (nvcc -cudart shared), or its calls cannot be seen. When it ends, one JSON
// line is written: every graph at the moment it was first instantiated (nodes, edges, sizes, addresses), then every call
// that has to do with graph memory, in order, with its result and the four attributes of device 0 behind it. Nothing else
// of the program is looked at, and no call is changed.
//
// GRAPHMEM_WORK_MICROSECONDS says how long a node runs on average (default 0); it goes into the recording, because whether
// a launch is still in flight decides what the next one may reuse.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

// The CUDA runtime's own function of that name.
template <class Function>
Function original(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using Address = std::uintptr_t;

// Who allocated an address: graph number and allocation number in it.
struct Owner {
  int graph;
  int allocation;
};

// All that is known about the run; written once, when the program ends.
struct Recording {
  std::mutex lock;
  std::map<cudaGraph_t, int> graphs;
  std::map<cudaGraphExec_t, int> executables;
  std::map<cudaStream_t, int> streams;
  std::map<cudaEvent_t, int> events;
  std::map<Address, Owner> owners;
  std::vector<std::string> graphLines;
  std::vector<std::string> log;
  int graphCount = 0;

  ~Recording() { write(); }

  void write() {
    const char *path = std::getenv("GRAPHMEM_RECORDING");
    std::FILE *file = std::fopen(path ? path : "graphmem-recording.jsonl", "a");
    if (!file) return;
    const char *work = std::getenv("GRAPHMEM_WORK_MICROSECONDS");
    std::fprintf(file, "{\"case\":\"program\",\"workMicroseconds\":%d,\"graphs\":[%s],\"frees\":[],\"log\":[%s]}\n",
                 work ? std::atoi(work) : 0, joined(graphLines).c_str(), joined(log).c_str());
    std::fclose(file);
  }

  static std::string joined(const std::vector<std::string> &parts) {
    std::string text;
    for (const std::string &part : parts) text += (text.empty() ? "" : ",") + part;
    return text;
  }
};

Recording &recording() {
  static Recording instance;
  return instance;
}

// Calls that the runtime makes inside a recorded call are not recorded.
thread_local int depth = 0;
struct Inside {
  Inside() { ++depth; }
  ~Inside() { --depth; }
  bool outermost() const { return depth == 1; }
};

template <class Handle>
int numberOf(std::map<Handle, int> &table, Handle handle) {
  return table.emplace(handle, static_cast<int>(table.size())).first->second;
}

std::string field(const char *name, long long value) {
  return std::string(",\"") + name + "\":" + std::to_string(value);
}

std::string addressText(const void *pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(reinterpret_cast<Address>(pointer)));
  return text;
}

std::string answers(cudaError_t result) {
  const cudaGraphMemAttributeType kinds[] = {cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrUsedMemHigh,
                                             cudaGraphMemAttrReservedMemCurrent, cudaGraphMemAttrReservedMemHigh};
  std::string memory;
  for (cudaGraphMemAttributeType kind : kinds) {
    unsigned long long value = 0;
    cudaDeviceGetGraphMemAttribute(0, kind, &value);
    memory += (memory.empty() ? "" : ",") + std::to_string(value);
  }
  const char *name = result == cudaSuccess ? "ok" : cudaGetErrorName(result);
  return std::string(",\"rc\":\"") + name + "\",\"mem\":[" + memory + "]";
}

void note(const char *operation, const std::string &fields, cudaError_t result) {
  recording().log.push_back(std::string("{\"op\":\"") + operation + "\"" + fields + answers(result) + "}");
}

// ---- graphs --------------------------------------------------------------------------------------------------------

std::vector<cudaGraphNode_t> nodesOf(cudaGraph_t graph) {
  size_t count = 0;
  cudaGraphGetNodes(graph, nullptr, &count);
  std::vector<cudaGraphNode_t> nodes(count);
  if (count) cudaGraphGetNodes(graph, nodes.data(), &count);
  return nodes;
}

std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edgesOf(cudaGraph_t graph) {
  size_t count = 0;
#if CUDART_VERSION >= 13000
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count);
  std::vector<cudaGraphNode_t> from(count), to(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (count) cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &count);
#else
  cudaGraphGetEdges(graph, nullptr, nullptr, &count);
  std::vector<cudaGraphNode_t> from(count), to(count);
  if (count) cudaGraphGetEdges(graph, from.data(), to.data(), &count);
#endif
  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges;
  for (size_t i = 0; i < count; i++) edges.emplace_back(from[i], to[i]);
  return edges;
}

int describe(cudaGraph_t graph);

// A node without its edges; allocation nodes are numbered in `allocations`.
std::string describeNode(cudaGraphNode_t node, int graph, int &allocations) {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  cudaGraphNodeGetType(node, &type);
  if (type == cudaGraphNodeTypeMemAlloc) {
    cudaMemAllocNodeParams parameters = {};
    cudaGraphMemAllocNodeGetParams(node, &parameters);
    const int number = allocations++;
    recording().owners[reinterpret_cast<Address>(parameters.dptr)] = {graph, number};
    return "\"op\":\"alloc\"" + field("alloc", number) + field("bytes", static_cast<long long>(parameters.bytesize)) +
           ",\"va\":\"" + addressText(parameters.dptr) + "\"";
  }
  if (type == cudaGraphNodeTypeMemFree) {
    void *pointer = nullptr;
    cudaGraphMemFreeNodeGetParams(node, &pointer);
    const auto found = recording().owners.find(reinterpret_cast<Address>(pointer));
    if (found == recording().owners.end()) return "\"op\":\"work\"";
    const std::string owner = found->second.graph == graph ? "" : field("owner", found->second.graph);
    return "\"op\":\"free\"" + owner + field("alloc", found->second.allocation);
  }
  if (type == cudaGraphNodeTypeGraph) {
    cudaGraph_t child = nullptr;
    if (cudaGraphChildGraphNodeGetGraph(node, &child) == cudaSuccess && child)
      return "\"op\":\"child\"" + field("graph", describe(child));
  }
  return "\"op\":\"work\"";
}

// Writes the graph down the first time it is met, its children before it, and returns its number.
int describe(cudaGraph_t graph) {
  Recording &all = recording();
  const auto known = all.graphs.find(graph);
  if (known != all.graphs.end()) return known->second;
  const int number = all.graphCount++;
  all.graphs[graph] = number;
  const std::vector<cudaGraphNode_t> nodes = nodesOf(graph);
  std::map<cudaGraphNode_t, int> index;
  for (size_t i = 0; i < nodes.size(); i++) index[nodes[i]] = static_cast<int>(i);
  std::vector<std::string> dependencies(nodes.size());
  for (const auto &[from, to] : edgesOf(graph)) {
    std::string &list = dependencies[static_cast<size_t>(index[to])];
    list += (list.empty() ? "" : ",") + std::to_string(index[from]);
  }
  int allocations = 0;
  std::vector<std::string> lines;
  for (size_t i = 0; i < nodes.size(); i++)
    lines.push_back("{" + describeNode(nodes[i], number, allocations) + ",\"deps\":[" + dependencies[i] + "]}");
  all.graphLines.push_back("{\"graph\":" + std::to_string(number) + ",\"nodes\":[" + Recording::joined(lines) + "]}");
  return number;
}

// The executable of a graph has the graph's number in a recording.
void noteInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags, cudaError_t result) {
  const std::lock_guard<std::mutex> guard(recording().lock);
  const int number = describe(graph);
  if (result == cudaSuccess && executable) recording().executables[*executable] = number;
  const bool autoFree = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  note("instantiate", field("graph", number) + (autoFree ? ",\"autoFree\":true" : ",\"autoFree\":false"), result);
}

void noteExecutable(const char *operation, cudaGraphExec_t executable, cudaStream_t stream, cudaError_t result) {
  const std::lock_guard<std::mutex> guard(recording().lock);
  const auto found = recording().executables.find(executable);
  if (found == recording().executables.end()) return;
  note(operation, field("graph", found->second) + field("stream", numberOf(recording().streams, stream)), result);
}

// Frees of anything but graph allocations are not written down.
void noteFree(const char *operation, void *pointer, const cudaStream_t *stream, cudaError_t result) {
  const std::lock_guard<std::mutex> guard(recording().lock);
  const auto found = recording().owners.find(reinterpret_cast<Address>(pointer));
  if (found == recording().owners.end()) return;
  std::string fields = field("graph", found->second.graph) + field("alloc", found->second.allocation);
  if (stream) fields += field("stream", numberOf(recording().streams, *stream));
  note(operation, fields, result);
}

}  // namespace

// ---- the calls that are watched -----------------------------------------------------------------------------------------

#define ORIGINAL(name) original<decltype(&name)>(#name)

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
  const Inside inside;
  using Function = cudaError_t (*)(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
  const cudaError_t result = original<Function>("cudaGraphInstantiate")(executable, graph, flags);
  if (inside.outermost()) noteInstantiate(executable, graph, flags, result);
  return result;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaGraphInstantiateWithFlags)(executable, graph, flags);
  if (inside.outermost()) noteInstantiate(executable, graph, flags, result);
  return result;
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *parameters) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaGraphInstantiateWithParams)(executable, graph, parameters);
  if (inside.outermost()) {
    noteInstantiate(executable, graph, parameters ? parameters->flags : 0, result);
    if (parameters && executable && result == cudaSuccess && (parameters->flags & cudaGraphInstantiateFlagUpload))
      noteExecutable("upload", *executable, parameters->uploadStream, result);
  }
  return result;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaGraphLaunch)(executable, stream);
  if (inside.outermost()) noteExecutable("launch", executable, stream, result);
  return result;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaGraphUpload)(executable, stream);
  if (inside.outermost()) noteExecutable("upload", executable, stream, result);
  return result;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaGraphExecDestroy)(executable);
  if (!inside.outermost()) return result;
  const std::lock_guard<std::mutex> guard(recording().lock);
  const auto found = recording().executables.find(executable);
  if (found == recording().executables.end()) return result;
  note("destroyExec", field("graph", found->second), result);
  if (result == cudaSuccess) recording().executables.erase(found);
  return result;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaGraphDestroy)(graph);
  if (!inside.outermost()) return result;
  const std::lock_guard<std::mutex> guard(recording().lock);
  const auto found = recording().graphs.find(graph);
  if (found == recording().graphs.end()) return result;
  note("destroyGraph", field("graph", found->second), result);
  // The handle may come back for another graph.
  if (result == cudaSuccess) recording().graphs.erase(found);
  return result;
}

cudaError_t cudaFree(void *pointer) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaFree)(pointer);
  if (inside.outermost()) noteFree("free", pointer, nullptr, result);
  return result;
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaFreeAsync)(pointer, stream);
  // A free that is captured becomes a node and is written down with its graph.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (inside.outermost() && cudaStreamIsCapturing(stream, &capture) == cudaSuccess &&
      capture == cudaStreamCaptureStatusNone)
    noteFree("freeAsync", pointer, &stream, result);
  return result;
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaDeviceGraphMemTrim)(device);
  if (inside.outermost() && device == 0) {
    const std::lock_guard<std::mutex> guard(recording().lock);
    note("trim", "", result);
  }
  return result;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaStreamSynchronize)(stream);
  if (inside.outermost()) {
    const std::lock_guard<std::mutex> guard(recording().lock);
    note("sync", field("stream", numberOf(recording().streams, stream)), result);
  }
  return result;
}

cudaError_t cudaDeviceSynchronize() {
  const Inside inside;
  const cudaError_t result = ORIGINAL(cudaDeviceSynchronize)();
  if (inside.outermost()) {
    const std::lock_guard<std::mutex> guard(recording().lock);
    note("syncDevice", "", result);
  }
  return result;
}

}  // extern "C"
