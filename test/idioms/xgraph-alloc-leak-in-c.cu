/* What is done, how often, and what is given back in the end, all stand in a configuration text in the program. */
#include <cuda_runtime.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char config_text[] =
    "# particles\n"
    "[run]\n"
    "elements = 4096\n"
    "block=128\n"
    "rounds = 2\n"
    "\n"
    "[producer]\n"
    "autofree = yes\n"
    "[teardown]\n"
    "release = vel\n" // only wrong
    "release = vel, grid\n" // only right
    ;

struct config {
    int elements, block, rounds, autofree;
    char release[32];
};

enum value_kind { VALUE_INT, VALUE_BOOL, VALUE_TEXT };
static const struct setting {
    const char *section, *key;
    enum value_kind kind;
    size_t at, size;
} settings[] = {
#define SETTING(sec, name, kind) {#sec, #name, kind, offsetof(struct config, name), sizeof(((struct config *)0)->name)}
    SETTING(run, elements, VALUE_INT),
    SETTING(run, block, VALUE_INT),
    SETTING(run, rounds, VALUE_INT),
    SETTING(producer, autofree, VALUE_BOOL),
    SETTING(teardown, release, VALUE_TEXT),
#undef SETTING
};

static char *trim(char *s)
{
    while (isspace((unsigned char)*s)) s++;
    char *end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1])) *--end = '\0';
    return s;
}

static int apply(struct config *c, const char *section, const char *key, const char *value)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const struct setting *s = &settings[i];
        if (strcmp(s->section, section) || strcmp(s->key, key)) continue;
        void *target = (char *)c + s->at;
        switch (s->kind) {
        case VALUE_INT: *(int *)target = atoi(value); break;
        case VALUE_BOOL: *(int *)target = *value == 'y' || *value == '1'; break;
        case VALUE_TEXT: strncpy((char *)target, value, s->size - 1); break;
        }
        return 0;
    }
    return -1;
}

static int parse(struct config *c, const char *text)
{
    char section[16] = "", line[64];
    memset(c, 0, sizeof *c);
    for (const char *p = text; *p;) {
        const char *end = strchr(p, '\n');
        const size_t length = end ? (size_t)(end - p) : strlen(p);
        if (length >= sizeof line) return -1;
        memcpy(line, p, length);
        line[length] = '\0';
        p += length + (end != NULL);
        char *s = trim(line), *eq;
        if (!*s || *s == '#') continue;
        if (*s == '[') {
            char *close = strchr(s, ']');
            if (!close) return -1;
            *close = 0;
            strcpy(section, s + 1);
        } else if ((eq = strchr(s, '=')) != NULL) {
            *eq = '\0';
            if (apply(c, section, trim(s), trim(eq + 1)) < 0) fprintf(stderr, "unknown: %s.%s\n", section, s);
        }
    }
    return 0;
}

__global__ void advect(const float *__restrict__ in, float *__restrict__ out, float a, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = a * in[i]; }
__global__ void compute_forces(const float *__restrict__ in, float *__restrict__ out, float a, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = a * in[i]; }
__global__ void deposit_mass(const float *__restrict__ in, float *__restrict__ out, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] * in[i]; }

static unsigned warnings;
#define WARN_IF(call) ((void)((call) == cudaSuccess || (++warnings, fprintf(stderr, "%d: %s\n", __LINE__, #call))))

struct simulation {
    struct config config;
    cudaStream_t streams[2];
    cudaEvent_t produced, consumed;
    float *vel, *grid, *first, *second;
    float *in, *out;
};
enum phase { PRODUCE, FORCES, DEPOSIT, PHASES };

static void phase_body(struct simulation *s, enum phase phase)
{
    const int n = s->config.elements, block = s->config.block, grid = (n + block - 1) / block;
    const size_t bytes = (size_t)n * sizeof(float);
    switch (phase) {
    case PRODUCE:
        WARN_IF(cudaMallocAsync((void **)&s->vel, bytes, s->streams[0]));
        WARN_IF(cudaMallocAsync((void **)&s->grid, bytes, s->streams[0]));
        WARN_IF(cudaMemcpyAsync(s->vel, s->in, bytes, cudaMemcpyHostToDevice, s->streams[0]));
        advect<<<grid, block, 0, s->streams[0]>>>(s->vel, s->grid, 3.0f, n);
        break;
    case FORCES: compute_forces<<<grid, block, 0, s->streams[0]>>>(s->vel, s->first, 2.0f, n); break;
    case DEPOSIT: deposit_mass<<<grid, block, 0, s->streams[0]>>>(s->grid, s->second, n);
    case PHASES: break;
    }
}

static void build(struct simulation *s, cudaGraph_t *kept, cudaGraphExec_t exec[PHASES])
{
    for (int p = 0; p < PHASES; p++) {
        cudaGraph_t graph = NULL;
        const unsigned long long flags = p == PRODUCE && s->config.autofree ? cudaGraphInstantiateFlagAutoFreeOnLaunch : 0;
        WARN_IF(cudaStreamBeginCapture(s->streams[0], cudaStreamCaptureModeGlobal));
        phase_body(s, (enum phase)p);
        WARN_IF(cudaStreamEndCapture(s->streams[0], &graph));
        WARN_IF(cudaGraphInstantiateWithFlags(&exec[p], graph, flags));
        if (p == PRODUCE) *kept = graph;
        else WARN_IF(cudaGraphDestroy(graph));
    }
}

static void release_named(struct simulation *s)
{
    const struct { const char *name; float **buffer; } known[] = {{"vel", &s->vel}, {"grid", &s->grid}};
    char list[sizeof s->config.release];
    strcpy(list, s->config.release);
    for (char *name = strtok(list, ", "); name; name = strtok(NULL, ", "))
        for (const auto &k : known)
            if (!strcmp(k.name, name)) {
                WARN_IF(cudaFreeAsync(*k.buffer, s->streams[0]));
                *k.buffer = NULL;
            }
}

int main(void)
{
    static struct simulation sim;
    struct simulation *s = &sim;
    cudaGraph_t producer = NULL;
    cudaGraphExec_t exec[PHASES] = {};

    if (parse(&s->config, config_text) != 0) return 2;
    const size_t bytes = (size_t)s->config.elements * sizeof(float);
    for (int i = 0; i < 2; ++i) WARN_IF(cudaStreamCreate(&s->streams[i]));
    WARN_IF(cudaEventCreate(&s->produced));
    WARN_IF(cudaEventCreate(&s->consumed));
    WARN_IF(cudaMalloc((void **)&s->first, bytes));
    WARN_IF(cudaMalloc((void **)&s->second, bytes));
    s->out = (float *)malloc(bytes);
    s->in = (float *)malloc(bytes);
    for (int i = 0; i < s->config.elements; ++i) s->in[i] = (float)(i % 184) * 0.5f;

    build(s, &producer, exec);
    for (int round = s->config.rounds; round--;) {
        WARN_IF(cudaGraphLaunch(exec[PRODUCE], s->streams[0])); // found: xgraph-alloc-leak
        WARN_IF(cudaGraphLaunch(exec[FORCES], s->streams[0]));
        WARN_IF(cudaEventRecord(s->produced, s->streams[0]));
        WARN_IF(cudaStreamWaitEvent(s->streams[1], s->produced, 0));
        WARN_IF(cudaGraphLaunch(exec[DEPOSIT], s->streams[1]));
        WARN_IF(cudaEventRecord(s->consumed, s->streams[1]));
        WARN_IF(cudaStreamWaitEvent(s->streams[0], s->consumed, 0));
    }
    release_named(s);
    WARN_IF(cudaStreamSynchronize(s->streams[0]));
    WARN_IF(cudaMemcpy(s->out, s->second, bytes, cudaMemcpyDeviceToHost));
    printf("out[0] = %f\n", s->out[0]);

    for (int p = PRODUCE; p < PHASES; p++) WARN_IF(cudaGraphExecDestroy(exec[p]));
    WARN_IF(cudaGraphDestroy(producer));
    for (int i = 1; i >= 0; --i) WARN_IF(cudaStreamDestroy(s->streams[i]));
    WARN_IF(cudaEventDestroy(s->produced));
    WARN_IF(cudaEventDestroy(s->consumed));
    WARN_IF(cudaFree(s->first));
    WARN_IF(cudaFree(s->second));
    free(s->out);
    free(s->in);
    return warnings != 0;
}
