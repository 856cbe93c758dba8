import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib'
import { promisify } from 'node:util'
import type { Frame } from '#contract/console/runs.ts'

/** Consecutive frames of one run: a row of `frame_chunks` without its `call_id`. */
export interface FrameChunk {
  first_seq: number
  last_seq: number
  /** The earliest and the latest `at` of its frames, in milliseconds since the request was sent. */
  first_at: number
  last_at: number
  /** Total size of its frames as received. */
  bytes: number
  /** `ChunkContent` as JSON, compressed with zstd. */
  data: Buffer
}

/** The content of a chunk, by column: similar values compress better together. `raw` is by position, in base64. */
interface ChunkContent {
  at: number[]
  bytes: number[]
  blocks: string[]
  raw?: Record<number, string>
}

/**
 * A chunk is decompressed as one: its limits bound the cost of a page of frames. A larger frame is a chunk of its
 * own.
 */
export const MAX_CHUNK_FRAMES = 1_000
export const MAX_CHUNK_BYTES = 256 * 1024

/** Higher levels save under a tenth and take several times as long. */
const COMPRESSION_LEVEL = 9

const compress = promisify(zstdCompress)

/**
 * The first frames of one chunk: numbered without a gap and within its limits.
 * @param frames at least one, in order
 */
export function takeChunk(frames: readonly Frame[]): Frame[] {
  const taken: Frame[] = []
  let bytes = 0
  for (const frame of frames) {
    const previous = taken.at(-1)
    if (previous && (frame.seq !== previous.seq + 1 || bytes + frame.bytes > MAX_CHUNK_BYTES)) break
    if (taken.length === MAX_CHUNK_FRAMES) break
    taken.push(frame)
    bytes += frame.bytes
  }
  return taken
}

/** @param frames what `takeChunk` returned */
export async function encodeChunk(frames: readonly Frame[]): Promise<FrameChunk> {
  const [first, last] = [frames[0], frames.at(-1)]
  if (!first || !last) throw new RangeError('a chunk has at least one frame')
  const at = frames.map((frame) => frame.at)
  const bytes = frames.map((frame) => frame.bytes)
  const raw = Object.fromEntries(frames.flatMap((frame, index) => (frame.raw ? [[index, frame.raw]] : [])))
  const content: ChunkContent = {
    at,
    bytes,
    blocks: frames.map(({ block }) => block),
    ...(Object.keys(raw).length > 0 ? { raw } : {}),
  }
  return {
    first_seq: first.seq,
    last_seq: last.seq,
    first_at: at.reduce((earliest, one) => Math.min(earliest, one)),
    last_at: at.reduce((latest, one) => Math.max(latest, one)),
    bytes: bytes.reduce((sum, one) => sum + one),
    data: await compress(Buffer.from(JSON.stringify(content)), {
      params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
  }
}

/**
 * Runs on the calling thread: chunks are small, and the thread pool would return 16 KiB at a time.
 * @throws Error if the stored bytes are damaged: zstd's own checksum does not match
 */
export function decodeChunk({ first_seq, data }: Pick<FrameChunk, 'first_seq' | 'data'>): Frame[] {
  const content = JSON.parse(zstdDecompressSync(data).toString()) as ChunkContent
  return content.blocks.map((block, index) => {
    const raw = content.raw?.[index]
    const frame = { seq: first_seq + index, at: content.at[index] ?? 0, bytes: content.bytes[index] ?? 0, block }
    return raw ? { ...frame, raw } : frame
  })
}
