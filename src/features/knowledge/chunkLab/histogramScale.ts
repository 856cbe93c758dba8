/** The ends of a histogram: the largest size, and the most chunks of one size. */
export interface HistogramScale {
  largest: number
  maxCount: number
}

export const emptyHistogramScale: HistogramScale = { largest: 0, maxCount: 0 }

/** One scale for two histograms, so that they can be compared by eye. */
export const mergeScales = (one: HistogramScale, other: HistogramScale): HistogramScale => ({
  largest: Math.max(one.largest, other.largest),
  maxCount: Math.max(one.maxCount, other.maxCount),
})
