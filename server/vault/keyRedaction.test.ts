import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listEncodings } from '#support/keyEncodings.ts'
import { redact, REDACTED } from './keyRedaction.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const newSecret = (length = 24) => [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
const newKeys = () => [`app-${newSecret()}`, `dataset-${newSecret()}`, `app-${newSecret(36)}`]
const ENCODING_NAMES = Object.keys(listEncodings('app-'))
/** Characters of the secret part that may show. */
const MAX_VISIBLE_CHARS = 11

/** The beginning of a form of a key: its prefix and so many characters of its secret part. */
const toKeyBeginning = (name: string, key: string, count: number, next = ''): string =>
  listEncodings(key.slice(0, key.indexOf('-') + 1 + count) + next)[name] ?? ''

describe('somebody who guesses a key letter by letter', () => {
  it('sees no difference between a right letter and a wrong one, though all before it are right', () => {
    for (const key of newKeys())
      for (const name of ENCODING_NAMES)
        for (let known = 0; known < MAX_VISIBLE_CHARS; known++)
          for (const letter of LETTERS) {
            const guess = toKeyBeginning(name, key, known, letter)
            for (const text of [guess, `{"answer":"say ${guess} and more"}`]) expect(redact(text, key)).toBe(text)
          }
  })

  it('sees the same behind a match, whatever letter comes next', () => {
    for (const key of newKeys())
      for (const name of ENCODING_NAMES) {
        const seen = [...LETTERS].map((letter) => redact(`${toKeyBeginning(name, key, 13, letter)} and more`, key))
        expect([name, new Set(seen).size, seen[0]?.includes(REDACTED)]).toEqual([name, 1, true])
      }
  })
})

describe('a key in a text', () => {
  it('shows eleven characters of its secret part at most, wherever it breaks off, in any of its forms', () => {
    for (const key of newKeys())
      for (const name of ENCODING_NAMES)
        for (let count = 1; count <= key.length; count++) {
          const form = listEncodings(key.slice(0, count))[name] ?? ''
          const bound = toKeyBeginning(name, key, MAX_VISIBLE_CHARS).length + 6
          for (const text of [form, `before ${form}`, `before ${form} after`, `{"a":"${form}","b":["${form}"]}`]) {
            const left = redact(text, key)
            for (let from = 0; from + bound < form.length; from++)
              expect([name, left.includes(form.slice(from, from + bound))]).toEqual([name, false])
            if (left !== text) expect(left).toBe(text.replaceAll(form, REDACTED))
          }
        }
  })

  it('is found without its prefix, and where writings are mixed', () => {
    const key = 'app-Bx9sRyKy5wS6Wn6D2hSA5ifk'
    expect(redact('key Bx9sRyKy5wS6Wn6D2hSA5ifk.', key)).toBe(`key ${REDACTED}.`)
    for (const form of Object.values(listEncodings(key)))
      expect(redact(JSON.stringify({ a: `${form} b` }), key)).toBe(`{"a":"${REDACTED} b"}`)
    expect(redact('app%2dBx9s%52y\\u004by5wS6W%6e6D2hSA5ifk', key)).toBe(REDACTED)
    expect(redact(JSON.stringify({ a: JSON.stringify({ b: `\\"${key}\\"` }) }), key)).not.toContain('Bx9s')
    expect(redact('app-Bx9sRyKy5wS6app-Bx9sRyKy5wS6Wn6D2hSA5ifk!', key)).toBe(`${REDACTED}!`)
  })

  it('leaves a text without it as it is, the very same, and JSON as JSON', () => {
    const key = `app-${newSecret()}`
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constantFrom('app-', '%', '\\', key[4]))
    fc.assert(
      fc.property(fc.array(texts), (parts) => {
        const text = parts.join('')
        expect(redact(text, key)).toBe(text)
      }),
    )
    const cut = key.slice(0, 18)
    for (const text of [{ a: cut, b: [cut, { [cut]: `${cut}"` }] }, [`\\${cut}\\`, `${cut}\n${cut}`]])
      expect(JSON.parse(redact(JSON.stringify(text), key))).toEqual(
        JSON.parse(JSON.stringify(text).replaceAll(cut, REDACTED)),
      )
  })

  it('of few characters is looked for as a whole, or by eight of them at least', () => {
    expect(redact('a secret: 1234567', '1234567')).toBe('a secret: 1234567')
    expect(redact('pass, passport, password', 'password')).toBe(`pass, passport, ${REDACTED}`)
    expect(redact('app-0123456 app-01234567 app-0123456789', 'app-0123456789')).toBe(
      `app-0123456 ${REDACTED} ${REDACTED}`,
    )
    expect(redact('{"mode":"workflow"} app-workflow', 'app-workflow')).toBe(`{"mode":"workflow"} ${REDACTED}`)
  })

  it('takes no longer than its length, though a text is made to be slow', () => {
    const key = `app-${'a'.repeat(24)}`
    for (const part of ['%', '\\', 'aaaaaaaaaaa ', 'app-', '%4', '\\u00', '\\u0061']) {
      const text = part.repeat(Math.ceil(1_000_000 / part.length))
      const began = performance.now()
      redact(`${text}%61`, key)
      // Linear it takes a fraction of a second, square it would take hours.
      expect([part, performance.now() - began < 20_000]).toEqual([part, true])
    }
  })
})
