import fc from 'fast-check'
import { BLOCK_LIMIT, BlockTooLarge, type RawBlock, Splitter } from '../../server/runs/split.ts'
import { demand, target, type Target } from './target.ts'

const line = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  fc
    .constantFrom('data: {"answer":"校准 😀"}', 'event: ping', ': comment', 'id: 1', '\uFEFFdata: x')
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\n\r\n', '\r\r', '\0').map((text) => Buffer.from(text)),
)
const long = fc.integer({ min: BLOCK_LIMIT - 3, max: BLOCK_LIMIT + 3 }).map((length) => Buffer.alloc(length, 'x'))
const bytes = fc
  .array(fc.oneof({ weight: 500, arbitrary: line }, { weight: 1, arbitrary: long }), { maxLength: 40 })
  .map((parts) => Buffer.concat(parts))

/** A byte stream is cut into the same blocks wherever it is cut, and a block too large is the only refusal. */
export const splitter = (): Target =>
  target(fc.tuple(bytes, fc.array(fc.nat(), { maxLength: 12 })), ([stream, cuts]: [Buffer, number[]]) => {
    const whole = split(stream, [])
    const cut = split(stream, cuts)
    if (whole.isTooLarge || cut.isTooLarge) return
    demand(JSON.stringify(whole.blocks) === JSON.stringify(cut.blocks), 'The cuts make a difference.')
  })

function split(stream: Buffer, cuts: readonly number[]): { blocks: RawBlock[]; isTooLarge: boolean } {
  const splitter_ = new Splitter()
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length]
  const blocks: RawBlock[] = []
  try {
    for (const [index, end] of places.slice(1).entries())
      blocks.push(...splitter_.push(stream.subarray(places[index], end)))
  } catch (error) {
    if (error instanceof BlockTooLarge) return { blocks: [...blocks, ...error.blocks], isTooLarge: true }
    throw error
  }
  const last = splitter_.end()
  return { blocks: last ? [...blocks, last] : blocks, isTooLarge: false }
}
