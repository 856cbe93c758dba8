import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventOf } from '#contract/frame.ts'
import { redact, REDACTED } from '../relay/redact.ts'
import { encodings } from '../../e2e/encodings.ts'
import { Splitter } from './split.ts'
import { Withholder, withoutBeginning } from './withhold.ts'

const SECRET = 'app-sK3nT1n-el/0"f3a9c77'

const frameOf = (seq: number, block: string) => ({ seq, at: 0, bytes: block.length, block })
const pass = (blocks: string[]) => {
  const withholder = new Withholder(SECRET)
  const said = blocks.flatMap((text, at) => {
    const block = redact(text, SECRET)
    return withholder.push({ frame: frameOf(at + 1, block), event: eventOf(block) })
  })
  return [...said, ...withholder.end()].map(({ frame }) => frame)
}
const message = (answer: string) => `data: ${JSON.stringify({ event: 'message', answer, task_id: 't' })}`
const chunk = (text: string) => `event: x\ndata: ${JSON.stringify({ event: 'text_chunk', data: { text, n: 1 } })}`
const answerOf = (frames: { block: string }[]) =>
  frames
    .map(({ block }) => eventOf(block) as { answer?: string; data?: { text?: string } })
    .map(({ answer, data }) => answer ?? data?.text ?? '')
    .join('')

describe('a key in a stream', () => {
  const forms = Object.entries(encodings(SECRET))

  it('does not pass, wherever the bytes are cut, in any of its encodings', () => {
    for (const [name, form] of forms) {
      const bytes = Buffer.from(`${message(`before ${form} after`)}\n\ndata: ${form}\n\n: ${form}\n\nevent: ping\n\n`)
      for (let cut = 0; cut <= bytes.length; cut++) {
        const splitter = new Splitter()
        const blocks = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((part) => splitter.push(part))
        const text = pass(blocks.map((block) => block.text))
          .map(({ block }) => block)
          .join('\n\n')
        expect([name, cut, text.includes(form)]).toEqual([name, cut, false])
        expect(text).toContain('event: ping')
      }
    }
  })

  it('does not pass in pieces over frames, wherever it is cut, in any of its encodings', () => {
    for (const [name, form] of forms)
      for (const write of [message, chunk])
        for (let cut = 0; cut <= form.length; cut++) {
          const frames = pass([write(`a ${form.slice(0, cut)}`), 'event: ping', write(`${form.slice(cut)} b`)])
          expect([name, cut, frames.map(({ seq }) => seq)]).toEqual([name, cut, [1, 2, 3]])
          const answer = answerOf(frames.filter(({ block }) => block !== 'event: ping'))
          expect([name, cut, answer.includes(form)]).toEqual([name, cut, false])
          expect(answer).toMatch(/^a .*\[REDACTED:key\] b$/)
        }
  })

  it('does not pass letter by letter, nor twice, nor beside its own beginning', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom(...forms.map(([, form]) => form), SECRET.slice(0, 12), 'app-'), fc.string()),
          {
            maxLength: 6,
          },
        ),
        fc.array(fc.nat({ max: 400 }), { maxLength: 40 }),
        (parts, cuts) => {
          const text = parts.join('')
          const at = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b)
          const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
          const frames = pass(pieces.map(message))
          expect(frames.map(({ seq }) => seq)).toEqual(pieces.map((_, index) => index + 1))
          const answer = answerOf(frames)
          for (const [, form] of forms) expect(answer).not.toContain(form)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('leaves every other frame as it came, to the byte, and makes none of them wait', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string().map(message),
            fc.string().map((one) => `data: ${one}`),
          ),
        ),
        (blocks) => {
          const withholder = new Withholder(SECRET)
          for (const [at, block] of blocks.entries()) {
            const out = withholder.push({ frame: frameOf(at, block), event: eventOf(block) })
            expect(out.map(({ frame }) => frame.block)).toEqual([block])
          }
          expect(withholder.end()).toEqual([])
        },
      ),
    )
    const withholder = new Withholder('dataset-0123456789abcdef')
    for (const word of ['the dataset', '-', ' data', 'set-'])
      expect(withholder.push({ frame: frameOf(1, message(word)), event: { answer: word } })).toHaveLength(1)
  })

  it('makes a frame wait for the next piece of its text alone, and lets it go as it came', () => {
    const withholder = new Withholder(SECRET)
    const first = ` {"answer": "see ${SECRET.slice(0, 10)}" }`
    expect(withholder.push({ frame: frameOf(1, `data:${first}`), event: JSON.parse(first) as unknown })).toEqual([])
    expect(withholder.push({ frame: frameOf(2, 'event: ping'), event: undefined })).toEqual([])
    const out = withholder.push({ frame: frameOf(3, message('x')), event: { answer: 'x' } })
    expect(out.map(({ frame }) => frame.block)).toEqual([`data:${first}`, 'event: ping', message('x')])
  })

  it('is not told by its first half either, when the line breaks in the middle', () => {
    expect(answerOf(pass([message('a '), message(SECRET.slice(0, 14))]))).toBe(`a ${REDACTED}`)
    expect(withoutBeginning(`data: {"answer":"${SECRET.slice(0, 15)}`, SECRET)).toBe(`data: {"answer":"${REDACTED}`)
    expect(withoutBeginning('data: {"answer":"app-', SECRET)).toBe('data: {"answer":"app-')
  })

  it('does not hide in the numbers of letters', () => {
    const numbered = [...SECRET].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
    expect(redact(`{"a":"${numbered}"}`, SECRET.replace('"', 'q'))).toBe(`{"a":"${numbered}"}`)
    const plain = 'app-0123456789'
    const hidden = [...plain].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
    expect(redact(`{"a":"${hidden}"}`, plain)).toBe(`{"a":"${REDACTED}"}`)
  })
})
