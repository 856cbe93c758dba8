import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FrameStrip } from './FrameStrip.tsx'
import { summarizeFrames } from './frameSummary.ts'
import { emptyTable, growTable } from './frameTable.ts'

const block = 'data: {"event":"message","answer":"word "}'

/** The labels under the strip of a run: so many frames, 10 ms apart but for the slow one, which comes after 400 ms. */
function listLabels(count: number, { slow, selected = null }: { slow: number; selected?: number | null }): string[] {
  const frames = Array.from({ length: count }, (_, index) => {
    const seq = index + 1
    return { seq, at: seq * 10 + (seq >= slow ? 390 : 0), bytes: block.length, block }
  })
  const table = growTable(emptyTable('chat.send', frames), count)
  const summary = summarizeFrames(table)
  if (!summary) throw new Error('A strip has frames.')
  const { unmount } = render(
    <FrameStrip table={table} total={count} summary={summary} selected={selected} edge={null} onSelect={vi.fn()} />,
  )
  const labels = screen.getAllByText(/^#/).map(({ textContent }) => textContent ?? '')
  unmount()
  return labels
}

test('the longest gap and the selected frame are labelled where there is space', () => {
  expect(listLabels(50, { slow: 25 })).toEqual(['#1', '#25', '#50'])
  expect(listLabels(50, { slow: 25, selected: 40 })).toEqual(['#1', '#25', '#40', '#50'])
})

test('a label that would lie over that of the first, the last or the selected frame is left out', () => {
  expect(listLabels(50, { slow: 3 })).toEqual(['#1', '#50'])
  expect(listLabels(50, { slow: 48 })).toEqual(['#1', '#50'])
  expect(listLabels(50, { slow: 25, selected: 27 })).toEqual(['#1', '#27', '#50'])
  expect(listLabels(50, { slow: 25, selected: 2 })).toEqual(['#1', '#25', '#50'])
})

test('few frames have one label for the first and the last', () => {
  expect(listLabels(1, { slow: 1 })).toEqual(['#1'])
  expect(listLabels(3, { slow: 2 })).toEqual(['#1 – #3'])
  expect(listLabels(12, { slow: 1 })).toEqual(['#1', '#12'])
})
