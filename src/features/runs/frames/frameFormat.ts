/** A gap as words: whole milliseconds under one second, seconds above. */
export const formatGap = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`)

/** A size in the narrow column of the list: bytes, then thousands with one digit. */
export const formatSize = (bytes: number): string =>
  bytes < 1000 ? String(bytes) : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)}k` : `${(bytes / 1e6).toFixed(1)}M`
