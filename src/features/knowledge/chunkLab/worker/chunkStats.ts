import { countCharacters } from '#domain/chunking/chunkMeasure.ts'
import { countWords } from '#domain/chunking/wordCount.ts'
import { type LabChunk, type ChunkWarning, CHUNK_WARNINGS } from './labChunking.ts'

/** Sizes are in what `max_tokens` measures: tokens or characters. */
export interface ChunkStats {
  segments: number
  children: number
  tokens: number
  median: number
  largest: number
  warnings: Record<ChunkWarning, number>
  /** How many of the chunks that are found (children where there are any) have each size. */
  bins: { from: number; to: number; count: number }[]
}

/** What a platform will count, once, of the whole text. */
export interface ChunkTotals {
  /** Of the segments. */
  tokens: number
  words: number
  characters: number
}

export const toTotals = (text: string, tokens: number): ChunkTotals => ({
  tokens,
  words: countWords(text),
  characters: countCharacters(text),
})

const MAX_HISTOGRAM_BINS = 16

/** The totals of a split; sizes are those of the searchable chunks: children if there are any. */
export function computeChunkStats(chunks: readonly LabChunk[]): ChunkStats {
  const sizes: number[] = []
  const warnings: Record<ChunkWarning, number> = { over: 0, giant: 0, empty: 0, sentence: 0, table: 0 }
  let children = 0
  for (const chunk of chunks) {
    const found = chunk.children.length > 0 ? chunk.children : [chunk]
    children += chunk.children.length
    for (const { tokens } of found) sizes.push(tokens)
    for (const warning of collectWarnings(chunk)) warnings[warning]++
  }
  sizes.sort((one, other) => one - other)
  const largest = sizes.at(-1) ?? 0
  return {
    segments: chunks.length,
    children,
    tokens: sizes.reduce((sum, size) => sum + size, 0),
    median: sizes[Math.floor(sizes.length / 2)] ?? 0,
    largest,
    warnings,
    bins: toBins(sizes, largest),
  }
}

/** The warnings of a segment and of its children, each once. */
export const collectWarnings = ({ warnings, children }: LabChunk): ChunkWarning[] =>
  CHUNK_WARNINGS.filter(
    (warning) => warnings.includes(warning) || children.some((child) => child.warnings.includes(warning)),
  )

/** The sizes of chunks up to the largest of another cut. */
export const toSizeBins = (chunks: readonly LabChunk[], largest: number): ChunkStats['bins'] =>
  toBins(
    chunks.flatMap((chunk) => (chunk.children.length > 0 ? chunk.children : [chunk]).map(({ tokens }) => tokens)),
    largest,
  )

function toBins(sizes: readonly number[], largest: number): ChunkStats['bins'] {
  const width = Math.max(1, Math.ceil(largest / MAX_HISTOGRAM_BINS))
  const bins = Array.from({ length: Math.ceil(largest / width) }, (_, index) => ({
    from: index * width + 1,
    to: (index + 1) * width,
    count: 0,
  }))
  for (const size of sizes) {
    const bin = bins[Math.max(0, Math.ceil(size / width) - 1)]
    if (bin) bin.count++
  }
  return bins
}
