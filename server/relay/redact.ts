export const REDACTED = '[REDACTED:key]'

/** A shorter key stands in too many innocent texts: taking it out would break every reply and hide nothing. */
const SHORTEST = 8

/** What is looked for of one key: every form in which it can stand in a text, and one expression that finds any of them. */
export interface Forms {
  all: readonly string[]
  longest: number
  /** The codes of their first letters. */
  firsts: ReadonlySet<number>
  found: RegExp
}

const known = new Map<string, Forms | null>()

/** Null for a key that is too short to be looked for. */
export function formsOf(secret: string): Forms | null {
  let forms = known.get(secret)
  if (forms === undefined) {
    forms = secret.length < SHORTEST ? null : made(secret)
    if (known.size > 1000) known.clear()
    known.set(secret, forms)
  }
  return forms
}

/**
 * Takes a key out of what a platform sends back, before ledger, log or browser: as it is, as JSON and URLs write it, in
 * base64 wherever it stands in the encoded text, in hexadecimal digits, and backwards.
 */
export function redact(text: string, secret: string): string {
  const forms = formsOf(secret)
  if (!forms) return text
  const left = text.replace(forms.found, REDACTED)
  // Letters that JSON writes as numbers. Rare: what is ASCII needs no such escape.
  return ESCAPED_ASCII.test(left) ? redactEscaped(left, forms) : left
}

/** The bytes of what is no text. */
export const redactBytes = (bytes: Buffer, secret: string): Buffer =>
  Buffer.from(redact(bytes.toString('latin1'), secret), 'latin1')

const ESCAPED_ASCII = /\\u00[2-7][0-9a-f]/i

/** The escapes of ASCII letters are written out where, so read, a key stands in the text; else all stays as it came. */
function redactEscaped(text: string, { found }: Forms): string {
  const plain = text.replace(/\\u00([2-7][0-9a-f])/gi, (escape, digits: string) => {
    const letter = String.fromCharCode(parseInt(digits, 16))
    return /["\\]/.test(letter) ? escape : letter
  })
  const left = plain.replace(found, REDACTED)
  return left === plain ? text : left
}

function made(secret: string): Forms {
  const bytes = Buffer.from(secret)
  const encoded = encodeURIComponent(secret)
  const hex = bytes.toString('hex')
  const forms = [
    secret,
    encoded,
    encoded.replace(/[-_.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    hex,
    hex.toUpperCase(),
    [...secret].reverse().join(''),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ]
  // JSON may stand in JSON, and each time writes quotes, backslashes and sometimes slashes anew.
  const written = forms.flatMap((form) => [form, ...inJson(form)])
  const all = [...new Set(written.flatMap((form) => [form, ...inJson(form)]))].sort(
    (one, other) => other.length - one.length,
  )
  return {
    all,
    longest: all[0]?.length ?? 0,
    firsts: new Set(all.map((form) => form.charCodeAt(0))),
    found: new RegExp(all.map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'), 'g'),
  }
}

function inJson(form: string): string[] {
  const written = JSON.stringify(form).slice(1, -1)
  return [written, written.replaceAll('/', '\\/')]
}

/** The letters of base64 that a value alone decides, when it stands `offset` bytes after a group of three begins. */
function base64At(bytes: Buffer, offset: number): string[] {
  const first = Math.ceil((offset * 8) / 6)
  const last = Math.floor(((offset + bytes.length) * 8) / 6)
  const text = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(3)])
    .toString('base64')
    .slice(first, last)
  return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
}
