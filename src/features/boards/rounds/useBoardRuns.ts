import { useState } from 'react'
import type { TurnQuestion } from '../../runs/turn.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { isStreamingOnly } from '#domain/platformKeys/responseMode.ts'
import type { Problem } from '#contract/problem.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { boardEndpoints, type BoardPace, MAX_BOARD_ROUNDS } from '#contract/console/boards.ts'
import { runStore } from '../../../client/useRun.ts'
import type { Board } from '../board.ts'
import { listCommonFields, type CellRequest, toCellRequest } from '../request/cellRequest.ts'
import { STOP_ENTRIES } from '../../runs/runEntries.ts'
import type { SavedBoard } from '../useBoard.ts'
import type { CellApp, CellState, Round } from '../cells/useCells.ts'
import type { BoardRoundsView } from './useBoardRounds.ts'
import { usePermission } from '../../../client/usePermission.ts'

type CellWithApp = CellState & { app: CellApp }
interface AskedCell {
  cellState: CellWithApp
  request: CellRequest
}

/** A running round, with what its stop request needs. */
export interface RunningRound {
  key: Key
  stopEntry: (typeof STOP_ENTRIES)[keyof typeof STOP_ENTRIES]
  task_id: string
  user: string
}

export interface BoardRuns {
  /** The cells that a press of Run asks. */
  cellsWithApp: CellWithApp[]
  /** Why nothing was sent, by cell, after a press of Run that sent nothing. */
  invalidRequests: ReadonlyMap<string, CellRequest>
  clearInvalid: () => void
  run: () => Promise<void>
  /** Asks the same once more, in place of one round. */
  rerun: (round: Round, question: TurnQuestion) => void
  /** Runs the same request this many more times in each cell. */
  add: (rounds: number) => void
  /** How many rounds can be added now: none while some wait. */
  freeRounds: number
  sendRemaining: () => void
  lostRounds: number
  /** Rounds that the platform answered 500 together with others: too many at once. */
  refusedRounds: number
  /** Asks the same once more, in place of each refused round. */
  rerunRefused: () => void
  /** Removes the rounds of a cell: those that wait are not sent. */
  removeRounds: (cell: CellState) => void
  /** Active rounds, for stopping them at the platforms. */
  getRunningRounds: () => RunningRound[]
  isRunning: boolean
  cancelQueued: () => void
  /** Why the server sends no more rounds, or waits before the next one. */
  problem: Problem | null
  /** Why the last change of the rounds was not made. */
  changeProblem: Problem | null
}

const hasApp = (cellState: CellState): cellState is CellWithApp => cellState.app !== null
const hasRounds = ({ rounds }: CellState): boolean => rounds.length > 0

/** What a person does with the rounds of a board. The server sends them. */
export function useBoardRuns(
  { board, save }: Pick<SavedBoard, 'board' | 'save'>,
  boardRounds: BoardRoundsView,
  cells: readonly CellState[],
  user: string,
): BoardRuns {
  const can = usePermission()(boardEndpoints.createBoardRounds)
  const [invalidRequests, setInvalidRequests] = useState<ReadonlyMap<string, CellRequest>>(new Map())
  const cellsWithApp = cells.filter(hasApp)
  const askedCells = cellsWithApp.filter(hasRounds)
  const rounds = cells.flatMap((cellState) => cellState.rounds)
  const lost = askedCells.flatMap((cellState) => cellState.rounds.filter(({ isLost }) => isLost))
  const refused = askedCells.flatMap((one) => findRefusedRounds(one, cellsWithApp))
  const isSending = rounds.some(({ isWaiting }) => isWaiting)

  const requestFor = (cellState: CellWithApp) => toRequest(cellState, board, user, cellsWithApp)
  /** Whether all can be sent; else the cells say what they lack. */
  const accept = (asked: readonly AskedCell[]): boolean => {
    const invalid = asked.filter(({ request }) => !isRequestComplete(request))
    setInvalidRequests(new Map(invalid.map(({ cellState, request }) => [cellState.cell.id, request])))
    return invalid.length === 0
  }
  const create = (mode: 'append' | 'replace', asked: (AskedCell & { count: number })[]) =>
    boardRounds.create({
      mode,
      pace: board.pace,
      cells: asked.map(({ cellState: { cell, app }, request: { body }, count }) => ({
        cell: cell.id,
        key: app.key.id,
        body: toSentBody(app, body),
        workflow_id: cell.workflow_id ?? null,
        rounds: count,
      })),
    })

  const run = async () => {
    const asked = cellsWithApp.map((cellState) => ({
      cellState,
      request: requestFor(cellState),
      count: board.repeat,
    }))
    if (accept(asked) && (await save())) create('replace', asked)
  }

  const add = (count: number) => {
    const more = askedCells
      .map((cellState) => ({
        cellState,
        request: findSentRequest(cellState) ?? requestFor(cellState),
        count: Math.min(count, MAX_BOARD_ROUNDS - cellState.rounds.length),
      }))
      .filter((one) => one.count > 0)
    if (accept(more)) create('append', more)
  }

  /** Sends rounds that the server has, with the request of their cell where it does not know what they ask. */
  const send = (selected: readonly Round[], pace: BoardPace) => {
    const unknown = askedCells
      .filter((cellState) => cellState.rounds.some((round) => selected.includes(round) && !round.hasRequest))
      .map((cellState) => ({ cellState, request: findSentRequest(cellState) ?? requestFor(cellState) }))
    if (!accept(unknown)) return
    const requests = new Map(unknown.map(({ cellState, request }) => [cellState.cell.id, request]))
    boardRounds.send({
      pace,
      rounds: askedCells.flatMap(({ cell, app, rounds: own }) =>
        own
          .filter((round) => selected.includes(round))
          .map(({ number, hasRequest }) => ({
            number,
            request: hasRequest
              ? null
              : {
                  body: toSentBody(app, requests.get(cell.id)?.body ?? {}),
                  workflow_id: cell.workflow_id ?? null,
                },
          })),
      ),
    })
  }

  const maxCellRounds =
    askedCells.length === 0 ? MAX_BOARD_ROUNDS : Math.max(...askedCells.map((one) => one.rounds.length))
  return {
    cellsWithApp,
    invalidRequests,
    clearInvalid: () => setInvalidRequests(new Map()),
    run,
    rerun: ({ number }, { body, inputs, user: by, response_mode, pinned_workflow_id }) =>
      boardRounds.send({
        pace: board.pace,
        rounds: [
          { number, request: { body: { ...body, inputs, user: by, response_mode }, workflow_id: pinned_workflow_id } },
        ],
      }),
    add,
    freeRounds: !can || isSending || lost.length > 0 ? 0 : MAX_BOARD_ROUNDS - maxCellRounds,
    sendRemaining: () => send(lost, 'one_by_one'),
    // Those who may not send have nothing to send again.
    lostRounds: can ? lost.length : 0,
    refusedRounds: can && !isSending ? refused.length : 0,
    rerunRefused: () => send(refused, 'at_once'),
    removeRounds: (cellState) => {
      if (cellState.cell.key !== null && hasRounds(cellState)) boardRounds.remove([cellState.cell.id])
    },
    getRunningRounds: () => cellsWithApp.flatMap(listRunningRounds),
    isRunning:
      isSending ||
      cellsWithApp.some((cellState) => cellState.rounds.some(({ isRunning }) => isRunning) && canStopRun(cellState)),
    cancelQueued: boardRounds.pause,
    problem: boardRounds.rounds?.problem ?? null,
    changeProblem: boardRounds.changeProblem,
  }
}

/** What the form says now: the cell's own request, or that of all cells without one. */
function toRequest(
  { cell, app }: CellWithApp,
  { asked, user, response_mode }: Board,
  defaultUser: string,
  cellsWithApp: readonly CellWithApp[],
): CellRequest {
  const forms = cell.own ? [app.form] : cellsWithApp.filter((one) => !one.cell.own).map((one) => one.app.form)
  return toCellRequest(app.form, cell.own ?? asked, {
    user: user ?? defaultUser,
    response_mode,
    commonFields: listCommonFields(forms),
  })
}

const toSentBody = ({ key }: CellApp, body: Record<string, unknown>): Record<string, unknown> =>
  isStreamingOnly(key) ? { ...body, response_mode: 'streaming' } : body

const isRequestComplete = ({ errors, missing }: CellRequest): boolean =>
  missing === null && Object.keys(errors).length === 0

/** Rounds of a cell that were answered a bare 500, where the same platform did so to several rounds of the board. */
function findRefusedRounds(cellState: CellWithApp, cellsWithApp: readonly CellWithApp[]): Round[] {
  const samePlatform = cellsWithApp.filter(({ app }) => app.workspace.id === cellState.app.workspace.id)
  const isBurst = samePlatform.flatMap(({ rounds }) => rounds.filter(isAnswered500)).length > 1
  return isBurst ? cellState.rounds.filter(isAnswered500) : []
}

const isAnswered500 = ({ row }: Round): boolean =>
  row?.status === 'failed' && row.problem?.kind === 'refused' && row.problem.upstream?.status === 500

const canStopRun = ({ app, entry }: CellWithApp): boolean => app.key.offers.includes(STOP_ENTRIES[entry])

/** What the first rounds were asked, should the form have changed since. */
function findSentRequest({ rounds }: CellWithApp): CellRequest | null {
  const sent = rounds.map(({ row }) => row?.request).find((body) => body)
  return sent ? { body: sent as Record<string, unknown>, errors: {}, missing: null } : null
}

function listRunningRounds(cellState: CellWithApp): RunningRound[] {
  if (!canStopRun(cellState)) return []
  return cellState.rounds
    .filter(({ isRunning }) => isRunning)
    .flatMap(({ run_id, row }) => {
      const state = (run_id === null ? null : runStore.view(run_id))?.state as AnswerState | RunState | undefined
      const task_id = state?.task_id ?? row?.task_id
      const sent = row?.request as { user?: string } | undefined
      return task_id
        ? [{ key: cellState.app.key, stopEntry: STOP_ENTRIES[cellState.entry], task_id, user: sent?.user ?? '' }]
        : []
    })
}
