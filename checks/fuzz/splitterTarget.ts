import fc from 'fast-check'
import {
  MAX_BLOCK_BYTES,
  BlockTooLargeError,
  type RawBlock,
  EventSplitter,
} from '../../server/runs/streaming/eventSplitter.ts'
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
  .integer({ min: MAX_BLOCK_BYTES - 3, max: MAX_BLOCK_BYTES + 3 })
  .map((length) => Buffer.alloc(length, 'x'))
const bytesArbitrary = fc
  .array(fc.oneof({ weight: 500, arbitrary: lineArbitrary }, { weight: 1, arbitrary: longArbitrary }), {
    maxLength: 40,
  })
  .map((parts) => Buffer.concat(parts))

/** A byte stream is cut into the same blocks wherever it is cut, and a block too large is the only refusal. */
export const createSplitterTarget = (): FuzzTarget =>
  createTarget(
    fc.tuple(bytesArbitrary, fc.array(fc.nat(), { maxLength: 12 })),
    ([stream, cuts]: [Buffer, number[]]) => {
      const allBlocks = splitStream(stream, [])
      const cut = splitStream(stream, cuts)
      requireThat(JSON.stringify(allBlocks) === JSON.stringify(cut), 'The cuts make a difference.')
    },
  )

function splitStream(stream: Buffer, cuts: readonly number[]): { blocks: RawBlock[]; isTooLarge: boolean } {
  const splitter_ = new EventSplitter()
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length]
  const blocks: RawBlock[] = []
  try {
    for (const [index, end] of places.slice(1).entries())
      blocks.push(...splitter_.push(stream.subarray(places[index], end)))
  } catch (error) {
    if (error instanceof BlockTooLargeError) return { blocks: [...blocks, ...error.blocks], isTooLarge: true }
    throw error
  }
  const last = splitter_.end()
  return { blocks: last ? [...blocks, last] : blocks, isTooLarge: false }
}
