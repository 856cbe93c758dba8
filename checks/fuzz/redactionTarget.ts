import fc from 'fast-check'
import { listEncodings } from '#support/keyEncodings.ts'
import { redact } from '../../server/vault/keyRedaction.ts'
import { StreamRedactor } from '../../server/runs/streaming/streamRedactor.ts'
import { requireThat, createTarget, type FuzzTarget } from './target.ts'

/** Visible ASCII, as keys are, without quotation marks and backslashes. */
const secretArbitrary = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 16, maxLength: 64 })
  .map((codes) => String.fromCharCode(...codes).replace(/["\\]/g, 'q'))
const partArbitrary = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\\', '"', '%', '\\u0061', '=', '%2'),
)
/** Characters of the secret part that may show. */
const MAX_VISIBLE_CHARS = 11

type Case = [string, [string, number, boolean][], number[]]

/**
 * A key is removed from any text, in every encoding, whole or split across frames; a prefix of the key changes nothing.
 */
export const createRedactionTarget = (): FuzzTarget =>
  createTarget(
    fc.tuple(
      secretArbitrary,
      fc.array(fc.tuple(partArbitrary, fc.nat(), fc.boolean()), { maxLength: 8 }),
      fc.array(fc.nat({ max: 2_000 }), { maxLength: 12 }),
    ),
    ([key, parts, cuts]: Case) => {
      const forms = Object.values(listEncodings(key))
      const text = parts
        .map(([before, which, isThere]) => before + (isThere ? forms[which % forms.length] : ''))
        .join('')
      for (const left of [redact(text, key), redactStream(text, key, cuts)])
        for (const [name, form] of Object.entries(listEncodings(key)))
          requireThat(!left.includes(form), `The key is there still, as ${name}.`)
      // A form may write the sign of an escape as two characters of which a key has both.
      if (key.includes('%')) return
      // What stands between them is no part of a key.
      const guess = Object.values(listEncodings(key.slice(0, MAX_VISIBLE_CHARS))).join(' é ')
      requireThat(redact(guess, key) === guess, 'The beginning of a key is told from another text.')
      requireThat(
        redactStream(guess, key, cuts) === guess,
        'The beginning of a key is told from another text in a stream.',
      )
    },
  )

/** A text that comes in pieces, as it is read in the end. */
function redactStream(text: string, key: string, cuts: number[]): string {
  const stream = new StreamRedactor(key)
  const at = [0, ...cuts.filter((cut) => cut < text.length), text.length].sort((one, other) => one - other)
  const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
  return pieces
    .map((answer, seq) => {
      const block = `data: ${JSON.stringify({ answer })}`
      const { event } = stream.clean({ seq, at: 0, bytes: block.length, block })
      return typeof event === 'object' ? String((event as { answer: unknown }).answer) : String(event)
    })
    .join('')
}
