/** Bytes of a file to its text, however it was saved. */

/**
 * UTF-16 where a mark at the start says so, UTF-8, or Latin-1 where it is none; null for binary files. Lines that end in `\r` alone end
 * in `\n` then, as compilers read them.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const text = decoded(bytes);
  return text?.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

function decoded(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, 8192).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
