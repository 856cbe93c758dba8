import fc from 'fast-check'
import { encodings } from '../../e2e/encodings.ts'
import { redact, redactBytes } from '../../server/relay/redact.ts'
import { demand, target, type Target } from './target.ts'

/** Visible ASCII, as keys are; the letters are many enough that a text holds none of them by chance. */
const secret = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 16, maxLength: 64 })
  .map((codes) => String.fromCharCode(...codes))
const part = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom('\\', '"', '%', '\\u0061', '='))

/** A key is taken out of any text, in whatever way it was written there. */
export const redactor = (): Target =>
  target(
    fc.tuple(secret, fc.array(fc.tuple(part, fc.nat(), fc.boolean()), { maxLength: 8 })),
    ([key, parts]: [string, [string, number, boolean][]]) => {
      const forms = Object.values(encodings(key))
      const text = parts
        .map(([before, which, isThere]) => before + (isThere ? forms[which % forms.length] : ''))
        .join('')
      for (const left of [redact(text, key), redactBytes(Buffer.from(text), key).toString()])
        for (const [name, form] of Object.entries(encodings(key)))
          demand(!left.includes(form), `The key is there still, as ${name}.`)
    },
  )
