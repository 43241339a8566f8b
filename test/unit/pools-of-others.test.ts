/** Pools of other devices and of other processes: a device is given neither, and from the latter nothing is allocated. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>
extern int received;
static cudaStream_t s; static float *p; static CUdeviceptr d;
static cudaMemPool_t make(int device) {
  cudaMemPoolProps props = {}; props.allocType = cudaMemAllocationTypePinned; props.location = {cudaMemLocationTypeDevice, device};
  cudaMemPool_t pool; cudaMemPoolCreate(&pool, &props); return pool;
}
static cudaMemPool_t import() {
  cudaMemPool_t pool; cudaMemPoolImportFromShareableHandle(&pool, (void *)(size_t)received, cudaMemHandleTypePosixFileDescriptor, 0); return pool;
}
static void use(int device, cudaMemPool_t pool) { cudaDeviceSetMemPool(device, pool); }
struct Device {
  int number; cudaMemPool_t pool;
  explicit Device(int n, int of) : number(n), pool(make(of)) { cudaDeviceSetMemPool(number, pool); }
  ~Device() { cudaMemPoolDestroy(pool); }
};
`;
const other = 'async-pool-device-mismatch';
const imported = 'async-import-pool-alloc';
const row = (what: string, rule: string, bad: string, good: string): Row => [what, rule, '', bad, good];

describeRows('a pool', head, [
  row('of another device', other, 'use(0, make(1));', 'use(1, make(1)); use(0, make(0));'),
  row('of another device in an object', other, 'Device one(0, 1);', 'Device one(0, 0), two(1, 1);'),
  row(
    'of other devices in a loop',
    other,
    'std::vector<cudaMemPool_t> v; for (int i = 0; i < 2; ++i) v.push_back(make(i)); for (int i = 0; i < 2; ++i) use(1 - i, v[i]);',
    'std::vector<cudaMemPool_t> v; for (int i = 0; i < 2; ++i) v.push_back(make(i)); for (int i = 0; i < 2; ++i) use(i, v[i]);',
  ),
  row(
    'of another device, by the driver',
    other,
    'CUdevice a, b; cuDeviceGet(&a, 0); cuDeviceGet(&b, 1); CUmemPoolProps props = {}; props.location.type = CU_MEM_LOCATION_TYPE_DEVICE; props.location.id = a; CUmemoryPool q; cuMemPoolCreate(&q, &props); cuDeviceSetMemPool(b, q);',
    'CUdevice a, b; cuDeviceGet(&a, 0); cuDeviceGet(&b, 1); CUmemPoolProps props = {}; props.location.type = CU_MEM_LOCATION_TYPE_DEVICE; props.location.id = b; CUmemoryPool q; cuMemPoolCreate(&q, &props); cuDeviceSetMemPool(b, q);',
  ),
  row(
    'that another device has by itself',
    other,
    'cudaMemPool_t q; cudaDeviceGetDefaultMemPool(&q, 1); use(0, q);',
    'cudaMemPool_t q; cudaDeviceGetDefaultMemPool(&q, 1); use(1, q);',
  ),
  row('of a device that nobody knows', other, '', 'extern int which; use(which, make(1)); use(0, make(which));'),
  row(
    'of another process is allocated from',
    imported,
    'cudaMallocFromPoolAsync(&p, 64, import(), s);',
    'cudaMemPoolPtrExportData data; cudaMemPoolImportPointer((void **)&p, import(), &data);',
  ),
  row('of another process is given to a device', imported, 'use(0, import());', 'use(0, make(0));'),
  row(
    'of another process, by the driver',
    imported,
    'CUmemoryPool q; cuMemPoolImportFromShareableHandle(&q, (void *)(size_t)received, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0); cuMemAllocFromPoolAsync(&d, 64, q, s);',
    'CUmemPoolPtrExportData data; CUmemoryPool q; cuMemPoolImportFromShareableHandle(&q, (void *)(size_t)received, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0); cuMemPoolImportPointer(&d, q, &data);',
  ),
  row(
    'of this process is exported',
    imported,
    '',
    'cudaMemPool_t q = make(0); cudaMemPoolExportToShareableHandle(&received, q, cudaMemHandleTypePosixFileDescriptor, 0); cudaMallocFromPoolAsync(&p, 64, q, s); cudaFreeAsync(p, s);',
  ),
]);
