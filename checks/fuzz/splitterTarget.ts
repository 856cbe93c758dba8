import fc from 'fast-check'
import { MAX_EVENT_BYTES } from '#domain/stream/cutEvent.ts'
import { type RawBlock, EventSplitter } from '../../server/runs/streaming/eventSplitter.ts'
import { requireThat, createTarget, type FuzzTarget } from './target.ts'

const lineArbitrary = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  fc
    .constantFrom('data: {"answer":"校准 😀"}', 'event: ping', ': comment', 'id: 1', '\uFEFFdata: x')
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\n\r\n', '\r\r', '\0').map((text) => Buffer.from(text)),
)
const longArbitrary = fc
  .integer({ min: MAX_EVENT_BYTES - 3, max: MAX_EVENT_BYTES + 3 })
  .map((length) => Buffer.alloc(length, 'x'))
const bytesArbitrary = fc
  .array(fc.oneof({ weight: 500, arbitrary: lineArbitrary }, { weight: 1, arbitrary: longArbitrary }), {
    maxLength: 40,
  })
  .map((parts) => Buffer.concat(parts))

/** A byte stream gives the same blocks wherever it is cut, and the same rests of those over the limit. */
export const createSplitterTarget = (): FuzzTarget =>
  createTarget(
    fc.tuple(bytesArbitrary, fc.array(fc.nat(), { maxLength: 12 })),
    ([stream, cuts]: [Buffer, number[]]) => {
      const allBlocks = splitStream(stream, [])
      const cut = splitStream(stream, cuts)
      requireThat(JSON.stringify(allBlocks) === JSON.stringify(cut), 'The cuts make a difference.')
    },
  )

function splitStream(stream: Buffer, cuts: readonly number[]): { blocks: RawBlock[]; rests: string[] } {
  const rests: string[] = []
  const splitter = new EventSplitter(() => {
    const index = rests.push('') - 1
    return (rest) => void (rests[index] += rest.toString('latin1'))
  })
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length]
  const blocks = places.slice(1).flatMap((end, index) => [...splitter.push(stream.subarray(places[index], end))])
  const last = splitter.end()
  return { blocks: last ? [...blocks, last] : blocks, rests }
}
