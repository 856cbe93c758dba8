import { expect, test, vi } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import { type Board, emptyBoard, addCell, updateCell } from './board.ts'
import { BoardSync } from './boardSync.ts'

const cell = (id: string) => ({ id, key: 'key', own: null, runs: [] })

function anEditor() {
  const server: { board: Board; refuses: boolean } = { board: emptyBoard, refuses: false }
  const edits = new BoardSync({
    read: () => Promise.resolve(server.board),
    write: (board) => {
      if (server.refuses) throw new ProblemError({ kind: 'denied', message: 'no' })
      server.board = board
      return Promise.resolve()
    },
    delayMs: 60_000,
  })
  return { server, edits }
}

test('a change is made on the board as the server has it, so another person’s change stays', async () => {
  const { server, edits } = anEditor()
  edits.add((board) => addCell(board, cell('mine')))
  server.board = addCell(server.board, cell('theirs'))
  expect(await edits.flush()).toBe(true)
  expect(server.board.cells.map(({ id }) => id)).toEqual(['theirs', 'mine'])
  expect(edits.view().pending).toEqual([])
})

test('what is refused stays pending, says why, and goes out with the next try', async () => {
  const { server, edits } = anEditor()
  const listener = vi.fn()
  edits.subscribe(listener)
  server.refuses = true
  edits.add((board) => addCell(board, cell('a')))
  expect(await edits.flush()).toBe(false)
  expect(edits.view()).toMatchObject({ problem: { kind: 'denied' }, pending: [expect.any(Function)] })
  server.refuses = false
  edits.add((board) => updateCell(board, 'a', { runs: ['r'] }))
  expect(await edits.flush()).toBe(true)
  expect(server.board.cells).toEqual([{ ...cell('a'), runs: ['r'] }])
  expect(edits.view()).toEqual({ pending: [], problem: null })
  expect(listener).toHaveBeenCalled()
})

test('what is changed while a write is under way is written by whoever asks for it', async () => {
  const { server, edits } = anEditor()
  edits.add((board) => addCell(board, cell('a')))
  const first = edits.flush()
  edits.add((board) => addCell(board, cell('b')))
  await Promise.all([first, edits.flush()])
  expect(server.board.cells.map(({ id }) => id)).toEqual(['a', 'b'])
})
