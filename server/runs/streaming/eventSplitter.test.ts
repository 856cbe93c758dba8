import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSseBlock } from '#domain/stream/sseBlock.ts'
import { EventSplitter } from './eventSplitter.ts'

const split = (bytes: Buffer, cuts: number[]): string[] => {
  const splitter = new EventSplitter()
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  const blocks = places.slice(1).flatMap((end, index) => [...splitter.push(bytes.subarray(places[index], end))])
  const tail = splitter.end()
  return [...blocks, ...(tail ? [tail] : [])].map(({ text }) => text)
}

const line = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replace(/[\r\n]/g, ' ')}`),
  fc.constantFrom('event: ping', ': a comment', 'data', 'data:', 'id: 7', 'retry: 10', 'data: {"answer":"校准 😀"}'),
)
const ending = fc.constantFrom('\n', '\r\n', '\r')
const stream = fc
  .array(fc.tuple(fc.array(line, { minLength: 1, maxLength: 4 }), ending), { maxLength: 8 })
  .map((events) => events.map(([lines, end]) => lines.map((one) => one + end).join('') + end).join(''))

describe('Splitter', () => {
  it('gives the same blocks wherever the stream is cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const bytes = Buffer.from(text)
        expect(split(bytes, cuts)).toEqual(split(bytes, []))
      }),
      { numRuns: 400 },
    )
  })

  it('gives the same bytes of each block, too, where a chunk holds whole blocks and empty lines among them', () => {
    const whole = (chunks: Buffer[]) => {
      const splitter = new EventSplitter()
      return [...chunks.flatMap((chunk) => [...splitter.push(chunk)]), splitter.end()]
    }
    const letter = fc.constantFrom(10, 10, 10, 13, 0, 0xff, 0xef, 97)
    const given = fc.array(letter, { maxLength: 12 }).map((letters) => Buffer.from([...letters, 10, 10]))
    fc.assert(
      fc.property(given, given, (one, other) => {
        const bytes = Buffer.concat([one, other])
        expect(whole([one, other])).toEqual(whole([...bytes].map((byte) => Buffer.from([byte]))))
      }),
      { numRuns: 2_000, examples: [[Buffer.from([10, 0, 10, 10]), Buffer.from([10, 10])]] },
    )
  })

  it('gives the events that a standard parser gives', () => {
    fc.assert(
      fc.property(stream, (text) => {
        const expected: { event: string; data: string }[] = []
        createParser({ onEvent: ({ event, data }) => expected.push({ event: event ?? '', data }) }).feed(text)
        const given = split(Buffer.from(text), [])
          .map(parseSseBlock)
          .flatMap(({ event, data }) => (data === null ? [] : [{ event, data }]))
        expect(given.filter(({ data }) => data !== '')).toEqual(expected.filter(({ data }) => data !== ''))
      }),
      { numRuns: 400 },
    )
  })

  it('loses no byte of what came, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        const text = Buffer.from(bytes)
          .toString('utf8')
          .replace(/^\uFEFF/, '')
          .replaceAll('\0', '\uFFFD')
        const lines = text.split(/\r\n?|\n/).filter((one) => one !== '')
        const kept = split(Buffer.from(bytes), cuts).flatMap((block) => block.split('\n'))
        expect(kept.filter((one) => one !== '').length).toBe(lines.length)
      }),
      { numRuns: 400 },
    )
  })

  it('keeps a ping, which has no data, as a block', () => {
    expect(split(Buffer.from('event: ping\n\ndata: 1\n\n'), [])).toEqual(['event: ping', 'data: 1'])
  })

  it('gives what came before the end of a stream that was cut inside a block', () => {
    expect(split(Buffer.from('data: {"a":1}\n\ndata: {"b"'), [])).toEqual(['data: {"a":1}', 'data: {"b"'])
  })

  it('cuts an event over the limit at the same character wherever the stream is cut, and reads its rest', () => {
    const long = (length: number) => `data: ${'校'.repeat(length)}`
    const [fits, over] = [long(349_523), long(349_524)]
    expect(split(Buffer.from(`${fits}\n`), [])).toEqual([fits])
    const bytes = Buffer.from(`data: 1\n\n${over}${'x'.repeat(1_000)}\n\ndata: 2\n\n`)
    for (const cuts of [[], [10, 1_000], [1_048_585], [1_048_586, 1_048_587, 1_048_588], [1_049_590, 1_049_591]]) {
      let rest = ''
      const splitter = new EventSplitter((text) => {
        expect(text).toBe(fits)
        return (more) => void (rest += more.toString('latin1'))
      })
      const places = [0, ...cuts, bytes.length]
      const blocks = places.slice(1).flatMap((end, at) => [...splitter.push(bytes.subarray(places[at], end))])
      const text = `${fits}\n: first 1048575 of 1049580 bytes stored`
      expect(blocks.map((block) => block.text)).toEqual(['data: 1', text, 'data: 2'])
      expect(blocks[1]).toMatchObject({ bytes: 1_049_580, stored: 1_048_575 })
      expect(Buffer.from(rest, 'latin1').toString()).toBe(`校${'x'.repeat(1_000)}\n\n`)
    }
  })

  it('keeps the bytes of a block that text cannot hold', () => {
    for (const odd of [0xff, 0x00]) {
      const bytes = Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, odd, 0x0a, 0x0a])
      expect([...new EventSplitter().push(bytes)]).toEqual([{ text: 'data:\uFFFD', bytes: 8, raw: bytes }])
    }
    expect([...new EventSplitter().push(Buffer.from('data: 校准\n\n'))]).toEqual([{ text: 'data: 校准', bytes: 14 }])
  })
})
