/** The macros of test libraries in whose blocks a program begins. */
export const testMacros = [
  'TEST',
  'TEST_F',
  'TEST_P',
  'TYPED_TEST',
  'TEST_CASE',
  'SCENARIO',
  'BOOST_AUTO_TEST_CASE',
  'BENCHMARK',
] as const;
