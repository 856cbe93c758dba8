import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useApproximateDuration } from './useApproximateDuration.ts'

test.each([
  [0, '1 s'],
  [300, '1 s'],
  [1_001, '2 s'],
  [61_000, '2 min'],
])('%i ms are about %s', (ms, text) => {
  const { result } = renderHook(() => useApproximateDuration())
  expect(result.current(ms)).toBe(text)
})
