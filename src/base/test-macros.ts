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

/** Those that compare what they are given, each as `EXPECT_` and as `ASSERT_`. */
export const comparisonsOfTests: ReadonlySet<string> = new Set(
  [
    ...['EQ', 'NE', 'LT', 'LE', 'GT', 'GE', 'TRUE', 'FALSE', 'NEAR'],
    ...['FLOAT_EQ', 'DOUBLE_EQ', 'STREQ', 'STRNE', 'STRCASEEQ', 'THAT'],
  ].flatMap((what) => [`EXPECT_${what}`, `ASSERT_${what}`]),
);

/** Those of test and logging libraries that say what is put behind them, with `<<`, only where something does not hold. */
export const checksWithMessages: ReadonlySet<string> = new Set([
  ...comparisonsOfTests,
  ...['', 'D', 'P', 'Q'].flatMap((kind) =>
    ['', '_EQ', '_NE', '_LT', '_LE', '_GT', '_GE', '_STREQ'].map((what) => `${kind}CHECK${what}`),
  ),
]);
