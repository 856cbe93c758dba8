import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import type { Run } from '#contract/console/runs.ts'
import { makeRunView } from '../../../../client/runRow.testing.ts'
import {
  selectBranch,
  getConversationId,
  toTurnRows,
  getShownBranch,
  type TurnRow,
  toBranchedTurns,
} from './transcriptTurns.ts'

const toRuns = (...ids: string[]) => ids.map((id) => ({ id, parent: null }) as Run)
const view = (run_id: string, part: { asked?: string; named?: string; sent_at?: number; parent?: string }) =>
  makeRunView<unknown>({
    run_id,
    state: { ...emptyAnswer, conversation_id: part.named ?? null },
    sent: {
      key: 'k',
      parent: part.parent ?? null,
      body: { query: 'q', ...(part.asked ? { conversation_id: part.asked } : {}) },
    },
    sent_at: part.sent_at ?? 1,
  })
const ids = (rows: readonly { run_id: string }[]) => rows.map(({ run_id }) => run_id)

test('what the server tells comes first, then what only this browser knows, in the order of asking', () => {
  const local = [
    view('b', { asked: 'c1', sent_at: 9 }),
    view('a', { named: 'c1', sent_at: 5 }),
    view('x', { asked: 'c1' }),
  ]
  expect(ids(toTurnRows(toRuns('x', 'y'), local, 'c1', null))).toEqual(['x', 'y', 'a', 'b'])
})

test('runs of other conversations stay out', () => {
  const local = [view('other', { asked: 'c2' }), view('fresh', {})]
  expect(ids(toTurnRows([], local, 'c1', null))).toEqual([])
  expect(ids(toTurnRows([], local, null, null))).toEqual([])
})

test('a run that has no conversation yet shows where the URL names it', () => {
  const local = [view('fresh', {}), view('named', { named: 'c9' })]
  expect(ids(toTurnRows([], local, null, 'fresh'))).toEqual(['fresh'])
  expect(ids(toTurnRows([], local, null, 'named'))).toEqual(['named'])
})

test('the platform’s word on the conversation counts before what was asked for', () => {
  expect(getConversationId(view('a', { asked: 'c1', named: 'c2' }))).toBe('c2')
  expect(getConversationId(view('a', { asked: 'c1' }))).toBe('c1')
  expect(getConversationId(view('a', {}))).toBeNull()
})

test('a first question that failed stays beside its later try, though neither has a conversation yet', () => {
  const local = [view('first', { sent_at: 1 }), view('again', { sent_at: 2, parent: 'first' }), view('else', {})]
  expect(ids(toTurnRows([], local, null, 'again'))).toEqual(['first', 'again'])
  const again = { id: 'again', parent: 'first', conversation_id: 'c1' } as Run
  expect(ids(toTurnRows([again], local, 'c1', null))).toEqual(['first', 'again'])
})

/** Rows in the order of asking; a parent may be any run that was asked before, or one that nobody knows. */
const anyRows = fc.array(fc.option(fc.nat(30), { nil: null }), { maxLength: 30 }).map((parents) =>
  parents.map((parent, index): TurnRow => ({
    run_id: `run-${index}`,
    run: null,
    parent: parent === null ? null : parent < index ? `run-${parent}` : 'elsewhere',
  })),
)

test('every run is in one turn, once, and branches and turns keep the order of asking', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const turns = toBranchedTurns(rows)
      const order = (list: readonly TurnRow[]) => list.map((row) => rows.indexOf(row))
      const rising = (list: number[]) => list.every((at, index) => index === 0 || at > (list[index - 1] ?? 0))
      expect(turns.flatMap(({ branches }) => order(branches)).sort((a, b) => a - b)).toEqual(order(rows))
      expect(turns.every(({ branches }) => rising(order(branches)))).toBe(true)
      expect(rising(turns.map(({ branches: [first] }) => rows.indexOf(first)))).toBe(true)
      expect(turns.every(({ id, branches: [first] }) => id === first.run_id)).toBe(true)
    }),
  )
})

test('a run shares the turn of the run that it was made from, and no other', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const turns = toBranchedTurns(rows)
      const turnOf = (run_id: string) => turns.find(({ branches }) => branches.some((row) => row.run_id === run_id))
      for (const row of rows) {
        const parent = row.parent === null ? undefined : turnOf(row.parent)
        expect(turnOf(row.run_id)?.id).toBe(parent ? parent.id : row.run_id)
      }
    }),
  )
})

test('rows in any order, even of runs made from each other, lose nothing', () => {
  const anyMess = fc.array(fc.record({ run_id: fc.nat(9).map(String), parent: fc.option(fc.nat(9).map(String)) }), {
    maxLength: 10,
  })
  fc.assert(
    fc.property(anyMess, (mess) => {
      const rows = [...new Map(mess.map((row) => [row.run_id, { ...row, run: null }])).values()]
      const kept = toBranchedTurns(rows).flatMap(({ branches }) => ids(branches))
      expect(kept.sort()).toEqual(ids(rows).sort())
    }),
  )
})

test('a chosen branch is shown until a newer one is chosen or made, and other turns keep theirs', () => {
  fc.assert(
    fc.property(anyRows, fc.array(fc.tuple(fc.nat(), fc.nat())), (rows, picks) => {
      const turns = toBranchedTurns(rows)
      let chosen: string[] = []
      const expected = new Map(turns.map(({ id, branches }) => [id, branches.at(-1)?.run_id]))
      for (const [at, which] of turns.length === 0 ? [] : picks) {
        const turn = turns[at % turns.length]
        const branch = turn?.branches[which % turn.branches.length]
        if (!turn || !branch) continue
        chosen = selectBranch(chosen, ids(turn.branches), branch.run_id)
        expected.set(turn.id, branch.run_id)
      }
      expect(turns.map((turn) => getShownBranch(turn, chosen, null).run_id)).toEqual([...expected.values()])
      const [first] = turns
      if (first)
        expect(getShownBranch(first, selectBranch(chosen, ids(first.branches), null), null)).toBe(first.branches.at(-1))
    }),
  )
})

test('a run in the URL is shown in its turn when no other branch was chosen', () => {
  const [turn] = toBranchedTurns([
    { run_id: 'a', run: null, parent: null },
    { run_id: 'b', run: null, parent: 'a' },
  ])
  if (!turn) throw new Error('no turn')
  expect(getShownBranch(turn, [], 'a').run_id).toBe('a')
  expect(getShownBranch(turn, ['a'], 'b').run_id).toBe('a')
  expect(getShownBranch(turn, [], 'of another turn').run_id).toBe('b')
})
