import { useEffect, useEffectEvent, useState } from 'react'
import type { Question } from '../../run/turn.ts'
import type { AnswerState } from '#contract/answer.ts'
import type { RunState } from '#contract/run.ts'
import { isLive } from '#contract/runs.ts'
import { newRunId, runs } from '../../wire/useRun.ts'
import type { Board, Cell } from './board.ts'
import { MOST_ROUNDS, withCell } from './board.ts'
import { commonControls, type Request, requestOf } from './request.ts'
import { conductor } from './rounds.ts'
import type { Going } from './StopAll.tsx'
import { STOPS } from '../../run/entries.ts'
import type { KeptBoard } from './useBoard.ts'
import type { CellApp } from './cellApp.ts'
import type { KnownCell } from './useCells.ts'
import { contract } from '#contract/index.ts'
import { useMay } from '../../wire/useMay.ts'

type Asking = KnownCell & { app: CellApp }

export interface BoardRuns {
  /** The cells that a press of Run asks. */
  asking: Asking[]
  /** Why nothing was sent, by cell, after a press of Run that sent nothing. */
  refused: ReadonlyMap<string, Request>
  forget: () => void
  run: () => Promise<void>
  /** Asks the same once more, in place of one round. */
  again: (cell: KnownCell, run_id: string, question: Question) => Promise<void>
  /** Asks each cell that was asked the same so many times more. */
  add: (rounds: number) => Promise<void>
  /** How many rounds can be added now: none while some wait here for the one before them. */
  room: number
  /** Sends the rounds that never left. */
  rest: () => void
  lost: number
  /** What goes on, as the platforms can be asked to stop it. */
  going: () => Going[]
  isGoing: boolean
  hold: () => void
}

const isAsking = (known: KnownCell): known is Asking => known.app !== null

/** What a board sends: every id is kept with the board before its request leaves. */
export function useBoardRuns(kept: KeptBoard, board_id: string, cells: readonly KnownCell[], user: string): BoardRuns {
  const { board, edit, save } = kept
  const may = useMay()(contract.console.updateKept)
  const [refused, setRefused] = useState<ReadonlyMap<string, Request>>(new Map())
  const asking = cells.filter(isAsking)
  const asked = asking.filter(({ cell }) => cell.runs.length > 0)
  const terms = { user: board.user ?? user, response_mode: board.response_mode }
  const shared = commonControls(asking.filter(({ cell }) => !cell.own).map(({ app }) => app.form))
  const requestFor = ({ cell, app }: Asking): Request =>
    requestOf(app.form, cell.own ?? board.asked, {
      ...terms,
      common: cell.own ? commonControls([app.form]) : shared,
    })

  const run = async () => {
    const requests = new Map(asking.map((known) => [known.cell.id, requestFor(known)]))
    const wrong = [...requests].filter(([, request]) => !isWhole(request))
    setRefused(new Map(wrong))
    if (wrong.length > 0) return
    const ids = new Map(asking.map(({ cell }) => [cell.id, Array.from({ length: board.repeat }, newRunId)]))
    conductor.hold(asking.flatMap(({ cell }) => cell.runs))
    conductor.plan([...ids.values()].flat())
    edit((now) => ({ ...now, cells: now.cells.map((cell) => ({ ...cell, runs: ids.get(cell.id) ?? cell.runs })) }))
    if (!(await save())) return conductor.hold([...ids.values()].flat())
    for (const { cell, app, entry } of asking) {
      const made = ids.get(cell.id) ?? []
      const rounds = { entry, key: app.key.id, body: requests.get(cell.id)?.body ?? {} }
      if (board.pace === 'one_by_one') conductor.play({ ...rounds, ids: made })
      else for (const id of made) conductor.play({ ...rounds, ids: [id] })
    }
  }

  const again = async (known: KnownCell, run_id: string, { body, inputs, user: by, response_mode }: Question) => {
    if (!isAsking(known)) return
    const id = newRunId()
    const { cell, app, entry } = known
    conductor.plan([id])
    edit((now) => withCell(now, cell.id, { runs: replaced(now, cell, run_id, id) }))
    if (!(await save())) return conductor.hold([id])
    conductor.play({ entry, key: app.key.id, body: { ...body, inputs, user: by, response_mode }, ids: [id] })
  }

  /** What the first rounds were asked, should the form have changed since. */
  const sameFor = (known: Asking): Request => {
    const sent = known.rounds.map(({ id, row }) => runs.view(id)?.sent?.body ?? row?.request).find((body) => body)
    return sent ? { body: sent as Record<string, unknown>, faults: {}, lack: null } : requestFor(known)
  }
  /** Sends these rounds, one by one when those that go on have ended, or at once. What is missing is said in the cell. */
  const follow = (known: Asking, ids: readonly string[], isOneByOne: boolean) => {
    const request = sameFor(known)
    if (!isWhole(request)) return setRefused(new Map([[known.cell.id, request]]))
    const lane = { entry: known.entry, key: known.app.key.id, body: request.body }
    if (isOneByOne) conductor.play({ ...lane, ids, after: known.rounds.findLast(({ goesOn }) => goesOn)?.id })
    else for (const id of ids) conductor.play({ ...lane, ids: [id] })
  }

  const add = async (rounds: number) => {
    const more = asked.map((known) => {
      const count = Math.min(rounds, MOST_ROUNDS - known.cell.runs.length)
      return { known, ids: Array.from({ length: count }, newRunId) }
    })
    const all = more.flatMap(({ ids }) => ids)
    conductor.plan(all)
    edit((now) => ({
      ...now,
      cells: now.cells.map((cell) => {
        const ids = more.find(({ known }) => known.cell.id === cell.id)?.ids ?? []
        return { ...cell, runs: [...cell.runs, ...ids].slice(0, MOST_ROUNDS) }
      }),
    }))
    if (!(await save())) return conductor.hold(all)
    for (const { known, ids } of more) follow(known, ids, board.pace === 'one_by_one')
  }

  const rest = () => {
    for (const known of asking) {
      const lost = known.rounds.filter(({ isLost }) => isLost).map(({ id }) => id)
      if (lost.length > 0) follow(known, lost, true)
    }
  }

  const rounds = cells.flatMap((known) => known.rounds)
  // Those who may not send have nothing to send again.
  const lost = !may ? 0 : asking.flatMap((known) => known.rounds).filter(({ isLost }) => isLost).length
  useEffect(() => {
    for (const { id, row } of cells.flatMap((known) => known.rounds)) if (row && !isLive(row.status)) conductor.over(id)
  }, [cells])
  const isKnown = rounds.every(({ row, problem, waits, goesOn }) => row || problem || waits || goesOn)
  const isSending = rounds.some(({ waits }) => waits)
  useGoOn(board_id, isSending, isKnown && lost > 0, rest)
  const longest = asked.length === 0 ? MOST_ROUNDS : Math.max(...asked.map(({ cell }) => cell.runs.length))
  const going = () => asking.flatMap(goingOf)
  return {
    asking,
    refused,
    forget: () => setRefused(new Map()),
    run,
    again,
    add,
    room: !may || isSending || lost > 0 ? 0 : MOST_ROUNDS - longest,
    rest,
    lost,
    going,
    isGoing: isSending || asking.some((known) => known.rounds.some(({ goesOn }) => goesOn) && canStop(known)),
    hold: () => conductor.hold(board.cells.flatMap((cell) => cell.runs)),
  }
}

const isWhole = ({ faults, lack }: Request): boolean => lack === null && Object.keys(faults).length === 0

const replaced = (board: Board, { id }: Cell, run_id: string, made: string): string[] =>
  board.cells.find((cell) => cell.id === id)?.runs.map((one) => (one === run_id ? made : one)) ?? []

const canStop = ({ app, entry }: Asking): boolean => app.key.offers.includes(STOPS[entry])

function goingOf(known: Asking): Going[] {
  if (!canStop(known)) return []
  return known.rounds
    .filter(({ goesOn }) => goesOn)
    .flatMap(({ id, row }) => {
      const view = runs.view(id)
      const state = view?.state as AnswerState | RunState | undefined
      const task_id = state?.task_id ?? row?.task_id
      const sent = (view?.sent?.body ?? row?.request) as { user?: string } | undefined
      return task_id ? [{ key: known.app.key, by: STOPS[known.entry], task_id, user: sent?.user ?? '' }] : []
    })
}

/** A tab that is loaded again goes on with the rounds that it had still to send; another one asks first. */
function useGoOn(board_id: string, isSending: boolean, hasLost: boolean, rest: () => void): void {
  const name = `loupe-rounds:${board_id}`
  const goOn = useEffectEvent(rest)
  useEffect(() => {
    if (!hasLost || isSending || sessionStorage.getItem(name) === null) return
    sessionStorage.removeItem(name)
    goOn()
  }, [name, hasLost, isSending])
  useEffect(() => {
    if (!isSending) return
    sessionStorage.setItem(name, '1')
    // Not called where the page itself goes: then the mark is found again.
    return () => sessionStorage.removeItem(name)
  }, [name, isSending])
}
