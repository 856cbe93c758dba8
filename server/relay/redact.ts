export const REDACTED = '[REDACTED:key]'

/** A shorter key stands in too many innocent texts: taking it out would break every reply and hide nothing. */
const SHORTEST = 8

/**
 * Takes the exact key out of what a platform sends back, before ledger, log or browser; also as JSON writes it, where that
 * differs (`\\"`, or `\\/` as some platforms put it).
 */
export function redact(text: string, secret: string): string {
  if (secret.length < SHORTEST) return text
  return formsOf(secret).reduce((left, form) => (left.includes(form) ? left.replaceAll(form, REDACTED) : left), text)
}

/** The bytes of what is no text. */
export const redactBytes = (bytes: Buffer, secret: string): Buffer =>
  Buffer.from(redact(bytes.toString('latin1'), secret), 'latin1')

function formsOf(secret: string): string[] {
  if (!/["\\/]/.test(secret)) return [secret]
  const written = JSON.stringify(secret).slice(1, -1)
  return [...new Set([secret, written, written.replaceAll('/', '\\/')])]
}
