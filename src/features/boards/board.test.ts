import { MAX_BOARD_CELLS, MAX_BOARD_ROUNDS } from '#contract/console/boards.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBoard, removeCell, emptyBoard, addCell, spreadCell } from './board.ts'

const RUN = '11111111-1111-4111-8111-111111111111'
const cell = (id: string, key: string | null = 'key') => ({ id, key, own: null, runs: key === null ? [RUN] : [] })
const board = ['a', 'b', 'c'].map((id) => cell(id)).reduce(addCell, emptyBoard)

test('a board comes back as it was kept', () => {
  const kept = {
    ...board,
    cells: [
      cell('a'),
      { ...cell('b'), own: { query: 'Why?', filled: { detail: 'long' }, files: [] } },
      cell('c', null),
    ],
    baseline: 'b',
    user: 'mira',
    repeat: 3,
    pace: 'at_once' as const,
  }
  expect(parseBoard(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
})

test('whatever is kept under its id reads as a board within its limits', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), fc.anything(), (value, cells, repeat) => {
      for (const given of [value, { cells, repeat }]) {
        const read = parseBoard(given)
        expect(read.cells.length).toBeLessThanOrEqual(MAX_BOARD_CELLS)
        expect(read.repeat).toBeGreaterThanOrEqual(1)
        expect(read.repeat).toBeLessThanOrEqual(MAX_BOARD_ROUNDS)
        expect(parseBoard(JSON.parse(JSON.stringify(read)))).toEqual(read)
      }
    }),
  )
})

test('the first cell is the baseline, and the next one takes over when it goes', () => {
  expect(board.baseline).toBe('a')
  expect(removeCell(board, 'a')).toMatchObject({ baseline: 'b' })
  expect(removeCell(board, 'b')).toMatchObject({ baseline: 'a' })
  expect(removeCell(removeCell(removeCell(board, 'a'), 'b'), 'c')).toEqual(emptyBoard)
})

test('a cell is spread over versions or saved inputs, as far as there is room, and none stands twice', () => {
  const cell = { id: 'a', key: 'k', own: null, runs: ['r'] }
  const board = { ...emptyBoard, cells: [cell], baseline: 'a' }
  const versions = ['v1', 'v2', 'v1'].map((workflow_id, index) => ({ id: `v${index}`, workflow_id }))
  const spread = spreadCell(board, 'a', versions)
  expect(spread.cells.map(({ key, workflow_id, runs }) => [key, workflow_id ?? null, runs.length])).toEqual([
    ['k', null, 1],
    ['k', 'v1', 0],
    ['k', 'v2', 0],
  ])
  const inputs = Array.from({ length: 9 }, (_, index) => ({
    id: `q${index}`,
    own: { query: `q${index}`, filled: {}, files: [] },
  }))
  expect(spreadCell(spread, 'a', inputs).cells).toHaveLength(MAX_BOARD_CELLS)
  expect(spreadCell(board, 'gone', versions)).toBe(board)
})
