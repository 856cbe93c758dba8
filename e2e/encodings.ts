/** The ways in which a value can hide in a text, by name; of base64 the letters that the value alone decides. */
export function encodings(secret: string): Record<string, string> {
  const bytes = Buffer.from(secret)
  const at = (offset: number) =>
    Buffer.concat([Buffer.alloc(offset, 'x'), bytes, Buffer.from('yyy')])
      .toString('base64')
      .slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3))
  return {
    raw: secret,
    base64: at(0),
    'base64 at 1': at(1),
    'base64 at 2': at(2),
    base64url: at(0).replaceAll('+', '-').replaceAll('/', '_'),
    hex: bytes.toString('hex'),
    URL: encodeURIComponent(secret),
    JSON: JSON.stringify(secret).slice(1, -1),
    reversed: [...secret].reverse().join(''),
  }
}
