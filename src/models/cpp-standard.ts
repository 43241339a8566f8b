/** C and C++ library functions that do nothing to the device or to CUDA handles. */

import type { ModelFile } from './model.ts';

const pure =
  'printf fprintf sprintf snprintf puts fputs putchar fflush perror vprintf vfprintf srand rand time clock assert static_assert ' +
  'abs fabs fabsf sqrt sqrtf pow powf sin cos exp expf log logf ceil floor round fmin fmax fmaxf fminf strcmp strlen strncmp strcpy strcat strstr ' +
  'getenv system usleep sleep getline fopen fclose fread fwrite fgets fscanf scanf sscanf qsort ' +
  'std::cout std::cerr std::endl std::abs std::sqrt std::fabs std::pow std::to_string std::sort std::fill std::fill_n std::iota std::generate ' +
  'std::accumulate std::all_of std::any_of std::count std::equal std::transform std::for_each_n std::setw std::setprecision std::string std::getline std::flush ' +
  'std::runtime_error std::logic_error std::invalid_argument std::out_of_range std::system_error std::this_thread::sleep_for std::chrono::milliseconds ' +
  'std::chrono::high_resolution_clock::now std::chrono::steady_clock::now std::chrono::system_clock::now std::random_device std::mt19937 std::format std::print std::println ' +
  'what c_str str count now dim3 uint3 make_float2 make_float4 make_int2 make_uint3 make_dim3 console.log console.error console.warn';

export const cppStandardModel: ModelFile = {
  name: 'cpp-standard',
  rows: [],
  pure: pure.split(' '),
};
