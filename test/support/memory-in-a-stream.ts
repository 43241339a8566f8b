/** What small programs begin with that allocate, use and free memory in one stream, `s`: a kernel and three functions. */
export const memoryInAStream = `__global__ void k(float *p) { p[0] = 1.0f; }
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
static void run(float *p) { k<<<1, 1, 0, s>>>(p); }
`;
