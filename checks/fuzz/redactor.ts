import fc from 'fast-check'
import { encodings } from '../../e2e/encodings.ts'
import { redact, redactBytes } from '../../server/relay/redact.ts'
import { StreamRedactor } from '../../server/runs/stream-redactor.ts'
import { demand, target, type Target } from './target.ts'

/** Visible ASCII, as keys are; the letters are many enough that a text holds none of them by chance. */
const secret = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 16, maxLength: 64 })
  .map((codes) => String.fromCharCode(...codes))
const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\\', '"', '%', '\\u0061', '=', '&#', '&#x', '%2'),
)
/** Characters of the secret part that may show. */
const SHOWN = 11

type Case = [string, [string, number, boolean][], number[]]

/** A key is taken out of any text, in whatever way it was written there, whole or in frames; its first letters change nothing. */
export const redactor = (): Target =>
  target(
    fc.tuple(
      secret,
      fc.array(fc.tuple(part, fc.nat(), fc.boolean()), { maxLength: 8 }),
      fc.array(fc.nat({ max: 2_000 }), { maxLength: 12 }),
    ),
    ([key, parts, cuts]: Case) => {
      const forms = Object.values(encodings(key))
      const text = parts
        .map(([before, which, isThere]) => before + (isThere ? forms[which % forms.length] : ''))
        .join('')
      for (const left of [redact(text, key), redactBytes(Buffer.from(text), key).toString(), streamed(text, key, cuts)])
        for (const [name, form] of Object.entries(encodings(key)))
          demand(!left.includes(form), `The key is there still, as ${name}.`)
      // A form may write the sign of an escape as two characters of which a key has both.
      if (/[\\%&]/.test(key)) return
      // What stands between them is no part of a key.
      const guess = Object.values(encodings(key.slice(0, SHOWN))).join(' é ')
      demand(redact(guess, key) === guess, 'The beginning of a key is told from another text.')
      demand(streamed(guess, key, cuts) === guess, 'The beginning of a key is told from another text in a stream.')
    },
  )

/** A text that comes in pieces, as it is read in the end. */
function streamed(text: string, key: string, cuts: number[]): string {
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
