/** A hex dump of base64 data in lines of 16 bytes: `offset  hex  text`. At most `maxBytes` bytes. */
export function toHexLines(base64: string, maxBytes: number): { lines: string[]; size: number } {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const lines: string[] = []
  for (let at = 0; at < Math.min(bytes.length, maxBytes); at += 16) {
    const part = [...bytes.subarray(at, at + 16)]
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${text}`)
  }
  return { lines, size: bytes.length }
}
