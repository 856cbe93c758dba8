import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import { listEncodings } from '#support/keyEncodings.ts'
import { REDACTED } from '../../vault/keyRedaction.ts'
import { EventSplitter } from './eventSplitter.ts'
import { MAX_FOLLOWED_DEPTH, StreamRedactor } from './streamRedactor.ts'

const SECRET = 'app-sK3nT1n-el/0+f3a9c77'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const newKey = () => `app-${[...randomBytes(24)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`
/** Characters of the secret part that may show. */
const MAX_VISIBLE_CHARS = 11

const toFrame = (seq: number, block: string) => ({ seq, at: 0, bytes: block.length, block })
const redactBlocks = (blocks: string[], secret = SECRET) => {
  const redactor = new StreamRedactor(secret)
  return blocks.map((block, at) => {
    const { frame, event } = redactor.clean(toFrame(at + 1, block))
    expect(event).toEqual(parseBlockEvent(frame.block))
    return frame
  })
}
const toMessageBlock = (answer: string) => `data: ${JSON.stringify({ event: 'message', answer, task_id: 't' })}`
const toChunkBlock = (text: string) =>
  `event: x\ndata: ${JSON.stringify({ event: 'text_chunk', data: { text, n: 1 } })}`
const nestValue = (value: unknown, depth: number): unknown =>
  depth === 0 ? value : { a: [nestValue(value, depth - 2)] }
/** All texts of the frames one behind the other. */
const joinTexts = (frames: { block: string }[]) => {
  let text = ''
  for (const { block } of frames)
    JSON.stringify(parseBlockEvent(block), (name, value: unknown) => {
      if (typeof value === 'string' && !['event', 'task_id', 'id'].includes(name)) text += value
      return value
    })
  return text
}
const splitText = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []

describe('a key in a stream', () => {
  const forms = Object.entries(listEncodings(SECRET))

  it('does not pass, wherever the bytes are cut, in any of its forms', () => {
    for (const [name, form] of forms) {
      const bytes = Buffer.from(
        `${toMessageBlock(`before ${form} after`)}\n\ndata: ${form}\n\n: ${form}\n\nevent: ping\n\n`,
      )
      for (let cut = 0; cut <= bytes.length; cut++) {
        const splitter = new EventSplitter()
        const blocks = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((part) => [...splitter.push(part)])
        const text = redactBlocks(blocks.map((block) => block.text))
          .map(({ block }) => block)
          .join('\n\n')
        expect([name, cut, text.includes(form)]).toEqual([name, cut, false])
        expect(text).toContain('event: ping')
      }
    }
  })

  it('does not pass in pieces over frames, wherever it is cut, at any depth, in any of its forms', () => {
    const deep = (text: string) =>
      `data: ${JSON.stringify({ event: 'deep', data: nestValue(text, MAX_FOLLOWED_DEPTH - 2) })}`
    const text = (one: string) => `data: ${one}`
    for (const [name, form] of forms)
      for (const write of [toMessageBlock, toChunkBlock, deep, text])
        for (let cut = 0; cut <= form.length; cut++) {
          const frames = redactBlocks([write(`a ${form.slice(0, cut)}`), 'event: ping', write(`${form.slice(cut)} b`)])
          expect([name, cut, frames.map(({ seq }) => seq)]).toEqual([name, cut, [1, 2, 3]])
          const answer = joinTexts(frames.filter(({ block }) => block !== 'event: ping'))
          expect([name, cut, answer.includes(form)]).toEqual([name, cut, false])
          // Where the cut goes through an escape, its beginning may stay.
          expect(answer).toMatch(/^a .*\[REDACTED:key\](%\d?|&#?x?\d*|\\u?\d*)? b$/i)
        }
  })

  it('does not pass in pieces of which some are not stored, since their event is too large', () => {
    const long = 'x'.repeat(300)
    for (const [name, form] of forms)
      for (let cut = 1; cut < form.length; cut++) {
        const redactor = new StreamRedactor(SECRET)
        const last = toMessageBlock(`${form.slice(cut)} b`)
        const { readRest } = redactor.cleanCut(`data: {"event":"message","id":"${long}","answer":"${long}`)
        for (const piece of [
          JSON.stringify(`\n${form.slice(0, cut)}`).slice(1, -1),
          '","task_id":"t","n":{"a":["',
          'b"]}}\n\n',
        ])
          readRest(Buffer.from(piece))
        const { event } = redactor.clean(toFrame(2, last))
        expect([name, cut, redactor.hasRedacted]).toEqual([name, cut, true])
        expect((event as { answer: string }).answer).toMatch(/^(\[REDACTED:key\])?(%\d?|&#?x?\d*|\\u?\d*)? b$/i)
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
          const frames = redactBlocks(at.slice(1).map((end, index) => toMessageBlock(text.slice(at[index], end))))
          const answer = joinTexts(frames)
          for (const [, form] of forms) expect(answer).not.toContain(form)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('shows eleven characters of its secret part at most: in pieces, in a text that grows, deep in an event', () => {
    const key = newKey()
    const streams: [string, (parts: string[]) => string[]][] = [
      ['pieces', (parts) => parts.map(toMessageBlock)],
      ['pieces, with another text between them', (parts) => parts.flatMap((part) => [toMessageBlock(part), other])],
      ['grows', (parts) => parts.map((_, at) => thought(`Bearer ${parts.slice(0, at + 1).join('')}`))],
      ['grows, deep', (parts) => parts.map((_, at) => deep(parts.slice(0, at + 1).join('')))],
      ['pieces, deep', (parts) => parts.map(deep)],
    ]
    const other = `data: ${JSON.stringify({ event: 'log', answer: 'unlike a key' })}`
    const thought = (text: string) => `data: ${JSON.stringify({ event: 'agent_thought', id: 'i', thought: text })}`
    const deep = (text: string) =>
      `data: ${JSON.stringify({ event: 'node_finished', data: { outputs: { texts: [{ text }] } } })}`
    for (const [name, form] of Object.entries(listEncodings(key)))
      for (const [kind, write] of streams)
        for (const size of [1, 3, 5, 10]) {
          const frames = redactBlocks(write(splitText(form, size)), key).filter(({ block }) => block !== other)
          const bound = listEncodings(key.slice(0, 4 + MAX_VISIBLE_CHARS))[name]?.length ?? 0
          // A piece of an escape, or a letter of base64 that is shared with the twelfth, stands beside the eleventh.
          const found = countVisibleChars(
            form,
            kind.startsWith('grows') ? frames.map((frame) => joinTexts([frame])) : [joinTexts(frames)],
          )
          expect([name, kind, size, found, found <= bound + 6]).toEqual([name, kind, size, found, true])
          expect(joinTexts(frames)).toContain(REDACTED)
        }
  })

  it('does not pass where pieces of it, or ids that end like its beginning, stand in frame after frame', () => {
    const idBlock = (id: string, answer: string, event = 'message') =>
      `data: ${JSON.stringify({ event, conversation_id: id, answer })}`
    for (const [, form] of forms) {
      const [begin, end] = [form.slice(0, 6), form.slice(6)]
      const blocks = Array.from({ length: 6 }, () => idBlock(`1f-${begin}`, 'a'))
      const frames = redactBlocks([...blocks, idBlock(end, 'b')])
      const last = parseBlockEvent(frames.at(-1)?.block ?? '') as { conversation_id: string }
      expect([form, last.conversation_id.includes(end)]).toEqual([form, false])
      expect(frames.slice(0, -1).map(({ block }) => block)).toEqual(blocks)
    }
    const piece = fc.oneof(
      fc.constantFrom(...forms.flatMap(([, form]) => [form.slice(0, 6), form.slice(6), form, 'app-', 'a'])),
      fc.string({ maxLength: 3 }),
    )
    const part = fc.record({ piece, count: fc.integer({ min: 1, max: 4 }), event: fc.constantFrom('message', 'log') })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const blocks = parts.flatMap((one) =>
          Array.from({ length: one.count }, () => idBlock(one.piece, one.piece, one.event)),
        )
        const frames = redactBlocks(blocks)
        for (const of of [null, 'message', 'log'])
          for (const name of ['conversation_id', 'answer']) {
            const texts = frames.map(({ block }) => parseBlockEvent(block) as Record<string, string>)
            const text = texts.map((event) => (of && event.event !== of ? '' : event[name])).join('')
            for (const [, form] of forms) expect(text).not.toContain(form)
          }
      }),
      { numRuns: 300 },
    )
  })

  it('gives each frame back at once, and those without it as they came, to the byte', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string().map(toMessageBlock),
            fc.string().map((one) => `data: ${one}`),
            fc.nat({ max: MAX_VISIBLE_CHARS }).map((known) => toMessageBlock(SECRET.slice(0, 4 + known))),
          ),
        ),
        (blocks) => {
          const redactor = new StreamRedactor(SECRET)
          // What follows the beginning of a key is no part of one.
          for (const [at, block] of blocks.flatMap((one) => [one, toMessageBlock(' ?')]).entries())
            expect(redactor.clean(toFrame(at, block)).frame.block).toBe(block)
          expect(redactor.hasRedacted).toBe(false)
        },
      ),
    )
  })

  it('tells nothing of a guess: a right letter is passed on as a wrong one, in every form, with all before it right', () => {
    const key = newKey()
    for (const name of Object.keys(listEncodings(key)))
      for (let known = 0; known < MAX_VISIBLE_CHARS; known++) {
        const guesses = [...LETTERS].map((letter) => listEncodings(key.slice(0, 4 + known) + letter)[name] ?? '')
        for (const guess of guesses) {
          const blocks = [
            toMessageBlock('say'),
            toMessageBlock(guess),
            toMessageBlock(' and'),
            toMessageBlock(guess.slice(0, 5)),
            toMessageBlock(guess.slice(5)),
          ]
          expect(redactBlocks(blocks, key).map(({ block }) => block)).toEqual(blocks)
        }
      }
  })

  it('tells nothing behind the twelfth character either: what can belong to a key goes, whatever it is', () => {
    const key = newKey()
    for (const known of [12, 13, 20]) {
      const seen = [...LETTERS].map((letter) =>
        joinTexts(
          redactBlocks(
            [toMessageBlock(`say ${key.slice(0, 4 + known)}`), toMessageBlock(letter), toMessageBlock(' and')],
            key,
          ),
        ),
      )
      expect([...new Set(seen)]).toEqual([`say ${REDACTED} and`])
    }
  })

  it('is not told by its first half either, when the stream breaks off in the middle', () => {
    expect(joinTexts(redactBlocks([toMessageBlock('a '), toMessageBlock(SECRET.slice(0, 18))]))).toBe(`a ${REDACTED}`)
    expect(redactBlocks([`data: {"answer":"${SECRET.slice(0, 16)}`])[0]?.block).toBe(`data: {"answer":"${REDACTED}`)
    expect(redactBlocks(['data: {"answer":"app-'])[0]?.block).toBe('data: {"answer":"app-')
  })

  it('is not in the bytes of a frame that is no valid text', () => {
    const raw = Buffer.concat([Buffer.from([0xff]), Buffer.from(`data: ${SECRET}`)])
    const { frame } = new StreamRedactor(SECRET).clean({ ...toFrame(1, `\uFFFDdata: ${SECRET}`), raw })
    expect([frame.raw, frame.block]).toEqual([undefined, `\uFFFDdata: ${REDACTED}`])
  })

  it('costs memory for few texts, however many end like the beginning of a key', () => {
    const redactor = new StreamRedactor(SECRET)
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, 'app-sK3']))
    for (let at = 0; at < 3; at++)
      redactor.clean(toFrame(at, `data: ${JSON.stringify({ event: String(at), ...many })}`))
    const last = { field4999: SECRET.slice(7) }
    const { event } = redactor.clean(toFrame(4, `data: ${JSON.stringify({ event: '2', ...last })}`))
    expect(event).toMatchObject({ field4999: REDACTED })
  })
})

/** The length of the longest beginning of a form in any of the texts. */
function countVisibleChars(form: string, texts: string[]): number {
  let longest = 0
  for (const text of texts) while (longest < form.length && text.includes(form.slice(0, longest + 1))) longest++
  return longest
}
