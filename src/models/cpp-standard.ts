/** C and C++ library functions that do nothing to the device or to CUDA handles. */

import type { ModelFile } from './model.ts';

const pure =
  'printf fprintf sprintf snprintf puts fputs putchar fflush perror vprintf vfprintf srand rand time clock assert static_assert ' +
  'abs fabs fabsf sqrt sqrtf pow powf sin cos exp expf log logf ceil floor round fmin fmax fmaxf fminf strcmp strlen strncmp strcpy strcat strstr strcasecmp strncasecmp stricmp memcmp wcscmp strcoll strcasestr strpbrk strspn strcspn strnlen ' +
  'getenv system usleep sleep getline fopen fclose fread fwrite fgets fscanf scanf sscanf qsort ' +
  'std::cout std::cerr std::endl std::abs std::sqrt std::fabs std::pow std::to_string std::sort std::fill std::fill_n std::iota std::generate ' +
  'std::accumulate std::all_of std::any_of std::count std::equal std::transform std::for_each_n std::setw std::setprecision std::string std::getline std::flush ' +
  'std::runtime_error std::logic_error std::invalid_argument std::out_of_range std::system_error std::this_thread::sleep_for std::chrono::milliseconds ' +
  'std::chrono::high_resolution_clock::now std::chrono::steady_clock::now std::chrono::system_clock::now std::random_device std::mt19937 std::format std::print std::println ' +
  '__sync_fetch_and_add __sync_fetch_and_sub __sync_fetch_and_and __sync_fetch_and_or __sync_fetch_and_xor __sync_add_and_fetch __sync_val_compare_and_swap __sync_bool_compare_and_swap __sync_lock_test_and_set __sync_synchronize __builtin_expect ' +
  'drand48 lrand48 omp_get_thread_num omp_get_num_threads omp_get_wtime gettimeofday isnan isinf std::isnan std::isinf std::floor std::ceil std::log2 std::exp std::sin std::cos std::round ' +
  'what c_str str count now dim3 uint3 make_float2 make_float4 make_int2 make_uint3 make_dim3 console.log console.error console.warn';

const lookups =
  'strcmp strncmp strcasecmp strncasecmp stricmp memcmp wcscmp strcoll strstr strcasestr strchr strrchr strpbrk strspn strcspn strlen strnlen ' +
  'atoi atol atoll atof std::stoi std::stol std::stoll std::stoul std::stoull std::stof std::stod stoi stol stoll stoul stoull stof stod ' +
  'isdigit isalpha isalnum isspace isupper islower isxdigit ispunct toupper tolower isnan isinf isfinite signbit ' +
  'abs labs llabs fabs fabsf sqrt sqrtf cbrt pow powf exp expf exp2 exp2f expm1 log logf log1p log2 log2f log10 floor floorf ceil ceilf round roundf trunc truncf ' +
  'fmod fmodf fmin fmax fma fmaf tan tanf tanh tanhf sinf cosf sinh cosh atan atan2 asin acos erf erff hypot copysign lround llround rint lrint nearbyint';

export const cppStandardModel: ModelFile = {
  name: 'cpp-standard',
  rows: [],
  pure: pure.split(' '),
  lookups: lookups.split(' '),
};
