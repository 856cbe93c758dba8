import { expect, test } from 'vitest'
import { emptyHistogramScale, mergeScales } from './histogramScale.ts'

test('two histograms share the larger end of each axis, whichever of them has it', () => {
  const wide = { largest: 500, maxCount: 3 }
  const high = { largest: 120, maxCount: 40 }
  expect(mergeScales(wide, high)).toEqual({ largest: 500, maxCount: 40 })
  expect(mergeScales(high, wide)).toEqual(mergeScales(wide, high))
})

test('a histogram alone keeps its own scale', () => {
  expect(mergeScales({ largest: 120, maxCount: 40 }, emptyHistogramScale)).toEqual({ largest: 120, maxCount: 40 })
})
