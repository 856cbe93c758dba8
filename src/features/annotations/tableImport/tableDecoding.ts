/** The supported encodings of a table, by WHATWG Encoding names. */
export const TABLE_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030'] as const
export type TableEncoding = (typeof TABLE_ENCODINGS)[number]

/** Bytes to inspect for encoding detection without a BOM. */
const MAX_SNIFFED_BYTES = 64 * 1024

/** Decodes a file. By default the encoding is detected: by its BOM, else from its bytes. */
export function decodeTable(
  bytes: Uint8Array,
  requestedEncoding: TableEncoding | null,
): { text: string; encoding: TableEncoding } {
  const encoding = requestedEncoding ?? detectEncoding(bytes)
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

export function detectEncoding(bytes: Uint8Array): TableEncoding {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  const head = bytes.subarray(0, MAX_SNIFFED_BYTES)
  // ASCII in UTF-16 has a NUL in every second byte; other text has none.
  const even = head.filter((byte, index) => byte === 0 && index % 2 === 0).length
  const odd = head.filter((byte, index) => byte === 0 && index % 2 === 1).length
  if (odd > head.length / 8 && odd > even * 4) return 'utf-16le'
  if (even > head.length / 8 && even > odd * 4) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'gb18030'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
