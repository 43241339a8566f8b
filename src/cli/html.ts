/**
 * One self-contained page with the panel's view: a scene, the style, the script and the layout worker in one file that opens
 * anywhere, offline. Its policy allows exactly the script and the style it carries, by their hashes, and a worker made from a
 * blob; the scene and the worker's source are data, which nothing executes where it stands.
 */

import type { Scene } from '../scene/scene.ts';

export interface PageAssets {
  /** `media/panel.css`. */
  readonly css: string;
  /** `dist/view.js`. */
  readonly viewScript: string;
  /** `dist/layout-worker.js`. */
  readonly layoutScript: string;
}

export function htmlPage(scene: Scene, assets: PageAssets): string {
  const css = oneLineEnd(assets.css).replaceAll('</', '<\\/');
  const script = oneLineEnd(assets.viewScript).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${sha256Base64(script)}'`,
    `style-src 'sha256-${sha256Base64(css)}'`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeText(titleOf(scene))}</title>`,
    `<style>${css}</style>`,
    '</head>',
    '<body>',
    '<div id="graphmem"></div>',
    '<noscript>This page draws its picture with a script that it carries itself; scripts are turned off.</noscript>',
    `<script type="application/json" id="graphmem-scene">${jsonForScript(scene)}</script>`,
    `<script type="application/json" id="graphmem-layout">${jsonForScript(assets.layoutScript)}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function titleOf(scene: Scene): string {
  return `${scene.entry || scene.file} · Graph Memory Debugger`;
}

/** JSON in which nothing can end the script element that carries it. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Browsers hash what they parsed, in which every line ends with one character. */
function oneLineEnd(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** SHA-256 of a text's UTF-8 bytes in base64. Written out because this file also runs where there is no `node:crypto`. */
export function sha256Base64(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  const { initial, constants } = primeFractions();
  const hash = Uint32Array.from(initial);
  const w = new Uint32Array(64);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i++) {
      const [before15, before2] = [w[i - 15]!, w[i - 2]!];
      const s0 = turn(before15, 7) ^ turn(before15, 18) ^ (before15 >>> 3);
      const s1 = turn(before2, 17) ^ turn(before2, 19) ^ (before2 >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    mix(hash, w, constants);
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, index) => {
    out.setUint32(index * 4, word);
  });
  return btoa(String.fromCharCode(...new Uint8Array(out.buffer)));
}

function mix(hash: Uint32Array, w: Uint32Array, constants: readonly number[]): void {
  let [a, b, c, d, e, f, g, h] = [...hash] as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    hash[index]! += word;
  });
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The message, a 1 bit, zeros, and its length in bits: a multiple of 64 bytes. */
function padded(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(bytes.length - 4, message.length << 3);
  return bytes;
}

/** SHA-256's constants: the fractions of the square roots of the first 8 primes and of the cube roots of the first 64. */
function primeFractions(): { readonly initial: readonly number[]; readonly constants: readonly number[] } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 0x100000000);
  return {
    initial: primes.slice(0, 8).map((p) => fraction(Math.sqrt(p))),
    constants: primes.map((p) => fraction(Math.cbrt(p))),
  };
}
