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

/** Those that only look at what they are given: of GoogleTest, of Catch2 and doctest, and of Boost.Test. */
export const comparisonsOfTests: ReadonlySet<string> = new Set([
  ...[
    ...['EQ', 'NE', 'LT', 'LE', 'GT', 'GE', 'TRUE', 'FALSE', 'NEAR'],
    ...['FLOAT_EQ', 'DOUBLE_EQ', 'STREQ', 'STRNE', 'STRCASEEQ', 'THAT'],
  ].flatMap((what) => [`EXPECT_${what}`, `ASSERT_${what}`]),
  ...['', '_FALSE', '_UNARY', '_THAT', '_MESSAGE', '_EQ', '_NE', '_LT', '_LE', '_GT', '_GE'].flatMap((what) => [
    `REQUIRE${what}`,
    `CHECK${what}`,
  ]),
  ...['', '_EQUAL', '_NE', '_CLOSE', '_SMALL', '_MESSAGE', '_EQUAL_COLLECTIONS'].flatMap((what) => [
    `BOOST_REQUIRE${what}`,
    `BOOST_CHECK${what}`,
  ]),
  ...['BOOST_TEST', 'BOOST_TEST_REQUIRE'],
]);

/** Those of test and logging libraries that say what is put behind them, with `<<`, only where something does not hold. */
export const checksWithMessages: ReadonlySet<string> = new Set([
  ...comparisonsOfTests,
  ...['', 'D', 'P', 'Q'].flatMap((kind) =>
    ['', '_EQ', '_NE', '_LT', '_LE', '_GT', '_GE', '_STREQ'].map((what) => `${kind}CHECK${what}`),
  ),
]);
