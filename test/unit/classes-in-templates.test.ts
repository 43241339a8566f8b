/**
 * What library authors write around handles: deleters inside of class templates, other names for what a class calls so, functions
 * kept in traits, references in pairs and structured bindings. Each in a program with one mistake and in one without.
 */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
template <class Handle, auto Destroy> struct owned {
  struct deleter {
    using pointer = Handle;
    void operator()(Handle h) const { Destroy(h); }
  };
  using type = std::unique_ptr<std::remove_pointer_t<Handle>, deleter>;
};
template <class Handle, auto Destroy> using owned_t = typename owned<Handle, Destroy>::type;
using graph = owned_t<cudaGraph_t, &cudaGraphDestroy>;
struct box { std::optional<graph> maybe; graph plain; };
template <class H, cudaError_t (*D)(H)> class unique {
  struct deleter { using pointer = H; void operator()(H h) const { D(h); } };
  std::unique_ptr<std::remove_pointer_t<H>, deleter> held;
public:
  explicit unique(H h) : held(h) {}
  H get() const { return held.get(); }
};
template <class T, auto D> struct guarded { struct guard { T h; ~guard() { D(h); } }; };
template <class T> struct pool { struct block { T *p = nullptr; static constexpr int bytes = sizeof(T) * 100; }; };
template <class T> struct traits;
template <> struct traits<cudaStream_t> {
  static constexpr auto create = static_cast<cudaError_t (*)(cudaStream_t *)>(cudaStreamCreate);
  static constexpr auto destroy = cudaStreamDestroy;
};
template <> struct traits<cudaEvent_t> {
  static constexpr auto create = static_cast<cudaError_t (*)(cudaEvent_t *)>(cudaEventCreate);
  static constexpr auto destroy = cudaEventDestroy;
};
template <class H> class handle {
  using own = traits<H>;
  H raw{};
public:
  handle() { own::create(&raw); }
  handle(const handle &) = delete;
  ~handle() { own::destroy(raw); }
  H operator*() const { return raw; }
};
template <class H> void release(H h) { traits<H>::destroy(h); }
struct node { float *p = nullptr; };
struct counted { float *p = nullptr; int *ends = nullptr; ~counted() { if (ends) ++*ends; } };
`;

const begin = 'cudaGraph_t raw; cudaGraphCreate(&raw, 0); cudaGraphNode_t n;';
const gone = 'cudaGraphAddEmptyNode(&n, raw, nullptr, 0);';

/** The owner's end destroys the graph: a use behind its scope is one too late. */
function owning(what: string, owner: string, get: string): Row {
  const use = `cudaGraphAddEmptyNode(&n, ${get}, nullptr, 0);`;
  return [
    what,
    'handle-use-after-destroy',
    '',
    `${begin} { ${owner} ${use} } ${gone}`,
    `${begin} { ${owner} ${use} ${gone} }`,
  ];
}

describeRows('owners whose deleter lies in a class template', head, [
  owning('a variable', 'graph g{raw};', 'g.get()'),
  owning('one that is called', 'auto g = graph(raw);', 'g.get()'),
  owning('set later', 'graph g; g.reset(raw);', 'g.get()'),
  owning('a member', 'box g; g.plain.reset(raw);', 'g.plain.get()'),
  owning('an optional member', 'box g; g.maybe.emplace(raw);', 'g.maybe->get()'),
  owning('elements of a vector', 'std::vector<graph> g; g.emplace_back(raw);', 'g[0].get()'),
  owning('elements of an array', 'std::array<graph, 2> g; g[1].reset(raw);', 'g[1].get()'),
  owning('in a map', 'std::map<int, graph> g; g.emplace(1, raw);', 'g.at(1).get()'),
  owning('in a tuple', 'std::tuple<graph, int> g{graph(raw), 1};', 'std::get<0>(g).get()'),
  owning('in a variant', 'std::variant<int, graph> g; g.emplace<graph>(raw);', 'std::get<graph>(g).get()'),
  owning('shared', 'auto g = std::make_shared<graph>(raw);', 'g->get()'),
  owning('by its alias template', 'owned_t<cudaGraph_t, &cudaGraphDestroy> g{raw};', 'g.get()'),
  owning('by its class', 'typename owned<cudaGraph_t, &cudaGraphDestroy>::type g{raw};', 'g.get()'),
  owning('as a member of the template', 'unique<cudaGraph_t, &cudaGraphDestroy> g(raw);', 'g.get()'),
]);

const memory = 'cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, 1024, s);';

describeRows('classes in class templates', head, [
  [
    'a guard knows what the template around was given',
    'async-use-after-free',
    '',
    `${memory} cudaStreamSynchronize(s); { guarded<float *, &cudaFree>::guard g{p}; } cudaMemset(p, 0, 1024);`,
    `${memory} cudaStreamSynchronize(s); { guarded<float *, &cudaFree>::guard g{p}; cudaMemset(p, 0, 1024); cudaDeviceSynchronize(); }`,
  ],
  [
    'its constants, too',
    'copy-out-of-range',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); pool<double>::block b; cudaMallocAsync(&b.p, pool<double>::block::bytes, s); cudaMemsetAsync(b.p, 0, 801, s); cudaFreeAsync(b.p, s);',
    'cudaStream_t s; cudaStreamCreate(&s); pool<double>::block b; cudaMallocAsync(&b.p, pool<double>::block::bytes, s); cudaMemsetAsync(b.p, 0, 800, s); cudaFreeAsync(b.p, s);',
  ],
]);

const capture = `handle<cudaStream_t> main, side; handle<cudaEvent_t> fork, join; cudaGraph_t g; float *p; cudaMalloc(&p, 64);
cudaStreamBeginCapture(*main, cudaStreamCaptureModeGlobal);
cudaEventRecord(*fork, *main); cudaStreamWaitEvent(*side, *fork, 0); cudaMemsetAsync(p, 0, 64, *side);`;
const end = 'cudaStreamEndCapture(*main, &g); cudaGraphDestroy(g); cudaFree(p);';

describeRows('functions in traits', head, [
  [
    'what creates handles',
    'capture-unjoined',
    '',
    `${capture} ${end}`,
    `${capture} cudaEventRecord(*join, *side); cudaStreamWaitEvent(*main, *join, 0); ${end}`,
  ],
  [
    'what destroys them',
    'handle-use-after-destroy',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); release(s); cudaStreamSynchronize(s);',
    'cudaStream_t s; cudaStreamCreate(&s); cudaStreamSynchronize(s); release(s);',
  ],
]);

const made =
  'std::array<cudaGraphExec_t, 2> all{}; cudaGraph_t g; cudaGraphCreate(&g, 0); auto &[first, second] = all;';
const pair = 'std::pair<node &, int> made(node &n) { return {n, 1}; }';

describeRows('names for parts', head, [
  [
    'elements that nothing was stored in yet',
    'launch-invalid-exec',
    '',
    `${made} cudaGraphInstantiate(&first, g, 0); for (auto e : all) cudaGraphExecDestroy(e);`,
    `${made} cudaGraphInstantiate(&first, g, 0); cudaGraphInstantiate(&second, g, 0); for (auto e : all) cudaGraphExecDestroy(e);`,
  ],
  [
    'of an array of C',
    'launch-invalid-exec',
    '',
    'cudaGraphExec_t all[2] = {}; cudaGraph_t g; cudaGraphCreate(&g, 0); auto &[a, b] = all; cudaGraphInstantiate(&a, g, 0); cudaGraphExecDestroy(all[1]);',
    'cudaGraphExec_t all[2] = {}; cudaGraph_t g; cudaGraphCreate(&g, 0); auto &[a, b] = all; cudaGraphInstantiate(&b, g, 0); cudaGraphExecDestroy(all[1]);',
  ],
  [
    'an object in a pair that is a reference',
    'async-use-after-free',
    pair,
    `${memory} node own; auto [n, i] = made(own); n.p = p; cudaFreeAsync(own.p, s); cudaMemsetAsync(p, 0, 64, s);`,
    `${memory} node own; auto [n, i] = made(own); n.p = p; cudaMemsetAsync(p, 0, 64, s); cudaFreeAsync(own.p, s);`,
  ],
  [
    'which does not end with the pair',
    'async-use-after-free',
    'std::pair<counted &, int> made(counted &c) { return {c, 1}; }',
    `${memory} int ends = 0; { counted own{p, &ends}; { auto [c, i] = made(own); c.p = p; } } if (ends == 1) cudaFreeAsync(p, s); cudaMemsetAsync(p, 0, 64, s);`,
    `${memory} int ends = 0; { counted own{p, &ends}; { auto [c, i] = made(own); c.p = p; } } cudaMemsetAsync(p, 0, 64, s); if (ends == 1) cudaFreeAsync(p, s);`,
  ],
]);
