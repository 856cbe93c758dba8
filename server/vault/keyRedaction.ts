import { type KeyRange, getKeySearch } from './keySearch.ts'

export const REDACTED = '[REDACTED:key]'

/**
 * Removes a key from what a platform sends, before ledger, log and browser see it: as it is, in base64 at any offset, in
 * hexadecimal digits, reversed, and as JSON, URLs and HTML escape it. From twelve characters of the secret part on
 * (`key-forms.ts`) the beginning of a key is removed too, wherever it stands.
 *
 * What somebody can learn from this: nothing without twelve characters that they do not know, in one guess. Whoever knows
 * the first eleven (a platform has shown them) can confirm the twelfth, and nothing behind it: all that may belong to the
 * form is removed behind a match, right or wrong. Each such answer is counted (`redaction-log.ts`).
 */
export function redact(text: string, secret: string): string {
  const ranges = getKeySearch(secret)?.find(text) ?? []
  return ranges.length === 0 ? text : removeRanges(text, ranges)
}

/** The bytes of what is no text. */
export function redactBytes(bytes: Buffer, secret: string): Buffer {
  const text = bytes.toString('latin1')
  const left = redact(text, secret)
  return left === text ? bytes : Buffer.from(left, 'latin1')
}

export function removeRanges(text: string, ranges: readonly KeyRange[]): string {
  let left = ''
  let at = 0
  for (const { start, end, isContinued } of ranges) {
    left += text.slice(at, start) + (isContinued ? '' : REDACTED)
    at = end
  }
  return left + text.slice(at)
}

/** Removes one key from one answer, and reports each time that it was there. */
export class KeyRedactor {
  /** Reports that the key was in the answer. */
  readonly reportExposure: () => void
  readonly #secret: string

  constructor(secret: string, report: () => void = () => undefined) {
    this.#secret = secret
    this.reportExposure = report
  }

  clean = (text: string): string => {
    const left = redact(text, this.#secret)
    if (left !== text) this.reportExposure()
    return left
  }
}
