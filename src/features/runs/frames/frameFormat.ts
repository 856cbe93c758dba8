import type { EventCut } from '#domain/stream/cutEvent.ts'

/** Formats a gap: whole milliseconds below one second, seconds above. */
export const formatGap = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`)

/** The numbers of a sentence about a cut frame. */
export const formatCut = ({ stored, size }: EventCut) => ({
  stored: stored.toLocaleString('en'),
  size: size.toLocaleString('en'),
})

/** Formats a size for the narrow column: bytes, then kilobytes with one digit. */
export const formatSize = (bytes: number): string =>
  bytes < 1000 ? String(bytes) : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)}k` : `${(bytes / 1e6).toFixed(1)}M`
