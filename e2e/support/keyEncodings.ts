/** The ways in which a value can hide in a text, by name; of base64 the letters that the value alone decides. */
export function listEncodings(secret: string): Record<string, string> {
  const bytes = Buffer.from(secret)
  const at = (offset: number) =>
    Buffer.concat([Buffer.alloc(offset, 'x'), bytes, Buffer.from('yyy')])
      .toString('base64')
      .slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3))
  const each = (write: (code: number, character: string) => string) =>
    [...secret].map((character) => write(character.charCodeAt(0), character)).join('')
  const percent = (code: number) => `%${code.toString(16).toUpperCase()}`
  return {
    raw: secret,
    base64: at(0),
    'base64 at 1': at(1),
    'base64 at 2': at(2),
    base64url: at(0).replaceAll('+', '-').replaceAll('/', '_'),
    hex: bytes.toString('hex'),
    'hex in capitals': bytes.toString('hex').toUpperCase(),
    URL: encodeURIComponent(secret),
    'URL in small letters': each((code, character) => (/\w/.test(character) ? character : percent(code).toLowerCase())),
    'URL of all characters': each(percent),
    'URL of all characters in small letters': each(percent).toLowerCase(),
    JSON: JSON.stringify(secret).slice(1, -1),
    'JSON in numbers': each((code) => `\\u00${code.toString(16)}`),
  }
}
