import { type KeyRange, getKeySearch } from './keySearch.ts'

export const REDACTED = '[REDACTED:key]'

/**
 * Removes a key from a platform's replies before ledger, log and browser receive them: as it is, in base64 at any offset, in
 * hexadecimal digits, reversed, and escaped for JSON, URLs and HTML. From twelve characters of the secret part on
 * (`keyPatterns.ts`) a prefix of the key is removed too, wherever it occurs.
 *
 * What an attacker can learn from this: nothing without guessing twelve unknown characters at once. With the first eleven (a
 * platform has shown them) one can confirm the twelfth and nothing after it: after a match everything that may belong to the
 * form is removed, right or wrong. Each such reply is counted (`keyExposureLog.ts`).
 */
export function redact(text: string, secret: string): string {
  const ranges = getKeySearch(secret)?.find(text) ?? []
  return ranges.length === 0 ? text : removeRanges(text, ranges)
}

/** The texts of an export. A person may have typed a key into a question, and requests are stored unredacted. */
export async function* redactSecrets(
  secrets: readonly string[],
  written: AsyncIterable<string>,
): AsyncGenerator<string> {
  for await (const text of written) yield secrets.reduce(redact, text)
}

/** The bytes of a body that is not text. */
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

/** Removes one key from one reply, and reports each occurrence. */
export class KeyRedactor {
  /** Reports that the reply contained the key. */
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
