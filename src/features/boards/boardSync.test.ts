import { expect, test, vi } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import { type Board, emptyBoard, addCell, updateCell } from './board.ts'
import { BoardSync } from './boardSync.ts'

const cell = (id: string) => ({ id, key: 'key', own: null, runs: [] })

function anEditor() {
  const server = {
    board: emptyBoard as Board,
    refuses: false,
    losesReply: false,
    changes: 0,
    onRead: () => undefined as void,
  }
  const edits = new BoardSync({
    read: () => {
      const read = { board: server.board, updated_at: String(server.changes) }
      server.onRead()
      return Promise.resolve(read)
    },
    write: ({ board, updated_at }) => {
      if (server.refuses) throw new ProblemError({ kind: 'denied', message: 'no' })
      if (updated_at !== String(server.changes))
        throw new ProblemError({ kind: 'invalid', status: 409, message: 'changed' })
      server.board = board
      server.changes++
      if (server.losesReply) throw new ProblemError({ kind: 'cut', message: 'no reply' })
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

test('a change that another person makes between the reading and the writing stays', async () => {
  const { server, edits } = anEditor()
  const others = ['theirs', 'and this']
  server.onRead = () => {
    const id = others.shift()
    if (id === undefined) return
    server.board = addCell(server.board, cell(id))
    server.changes++
  }
  edits.add((board) => addCell(board, cell('mine')))
  expect(await edits.flush()).toBe(true)
  expect(server.board.cells.map(({ id }) => id)).toEqual(['theirs', 'and this', 'mine'])
})

test('a write whose reply was lost adds its cell once, whatever is retried', async () => {
  const { server, edits } = anEditor()
  server.losesReply = true
  edits.add((board) => addCell(board, cell('mine')))
  expect(await edits.flush()).toBe(false)
  server.losesReply = false
  expect(await edits.flush()).toBe(true)
  expect(server.board.cells).toEqual([cell('mine')])
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
