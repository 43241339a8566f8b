/**
 * MB for what the analysing thread made last: three times V8's semi-space. Small, because nothing can be stopped while V8
 * copies what is still in use: with V8's own 48 MB a copy takes up to 6 ms and with 192 up to 30, with 24 it takes 2 to 3.
 * The analysis itself takes as long with either (measured by `npm run bench`, which runs under this limit).
 */
export const maxYoungGenerationSizeMb = 24;
