import { useEffect, useEffectEvent, useState } from 'react'
import type { TurnQuestion } from '../../runs/turn.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { isStreamingOnly } from '#domain/platformKeys/responseMode.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { newRunId, runStore } from '../../../client/useRun.ts'
import { type Board, type BoardCell, addRuns, MAX_ROUNDS, updateCell } from '../board.ts'
import { listCommonFields, type CellRequest, toCellRequest } from '../request/cellRequest.ts'
import { type RoundRequest, roundScheduler } from './roundScheduler.ts'
import { STOP_ENTRIES } from '../../runs/runEntries.ts'
import type { SavedBoard } from '../useBoard.ts'
import type { CellApp, CellState } from '../cells/useCells.ts'
import { usePermission } from '../../../client/usePermission.ts'

type CellWithApp = CellState & { app: CellApp }

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
  rerun: (cell: CellState, run_id: string, question: TurnQuestion) => Promise<void>
  /** Runs the same request this many more times in each cell. */
  add: (rounds: number) => Promise<void>
  /** How many rounds can be added now: none while some wait here for the one before them. */
  freeRounds: number
  sendRemaining: () => void
  lostRounds: number
  /** Rounds that the platform answered 500 together with others: too many at once. */
  refusedRounds: number
  /** Asks the same once more, in place of each refused round. */
  rerunRefused: () => Promise<void>
  /** Active rounds, for stopping them at the platforms. */
  getRunningRounds: () => RunningRound[]
  isRunning: boolean
  cancelQueued: () => void
}

const hasApp = (cellState: CellState): cellState is CellWithApp => cellState.app !== null
const hasRuns = ({ cell }: CellState): boolean => cell.runs.length > 0

/** Sends the runs of a board: each id is saved with the board before its request. */
export function useBoardRuns(
  savedBoard: SavedBoard,
  board_id: string,
  cells: readonly CellState[],
  user: string,
): BoardRuns {
  const { board } = savedBoard
  const can = usePermission()(savedItemEndpoints.updateSavedItem)
  const [invalidRequests, setInvalidRequests] = useState<ReadonlyMap<string, CellRequest>>(new Map())
  const cellsWithApp = cells.filter(hasApp)
  const askedCells = cellsWithApp.filter(hasRuns)
  const { run, rerun, add, sendRemaining, rerunRefused } = createRoundActions(
    { ...savedBoard, board_id },
    cellsWithApp,
    user,
    setInvalidRequests,
  )

  const rounds = cells.flatMap((cellState) => cellState.rounds)
  // Those who may not send have nothing to send again.
  const lost = !can ? 0 : cellsWithApp.flatMap((cellState) => cellState.rounds).filter(({ isLost }) => isLost).length
  useFinishedRounds(cells)
  const isKnown = rounds.every(({ row, problem, isWaiting, isRunning }) => row || problem || isWaiting || isRunning)
  const isSending = rounds.some(({ isWaiting }) => isWaiting)
  useResumeRounds(board_id, isSending, isKnown && lost > 0, sendRemaining)
  const maxCellRounds =
    askedCells.length === 0 ? MAX_ROUNDS : Math.max(...askedCells.map(({ cell }) => cell.runs.length))
  return {
    cellsWithApp,
    invalidRequests,
    clearInvalid: () => setInvalidRequests(new Map()),
    run,
    rerun,
    add,
    freeRounds: !can || isSending || lost > 0 ? 0 : MAX_ROUNDS - maxCellRounds,
    sendRemaining,
    lostRounds: lost,
    refusedRounds: can && !isSending ? cellsWithApp.flatMap((one) => findRefusedRounds(one, cellsWithApp)).length : 0,
    rerunRefused,
    getRunningRounds: () => cellsWithApp.flatMap(listRunningRounds),
    isRunning:
      isSending ||
      cellsWithApp.some((cellState) => cellState.rounds.some(({ isRunning }) => isRunning) && canStopRun(cellState)),
    cancelQueued: () => roundScheduler.cancel(board.cells.flatMap((cell) => cell.runs)),
  }
}

/** The actions that send rounds: Run, repeat one round, more rounds of each cell, resume unsent ones. */
function createRoundActions(
  { board, edit, save, board_id }: SavedBoard & { board_id: string },
  cellsWithApp: readonly CellWithApp[],
  user: string,
  setInvalidRequests: (requests: ReadonlyMap<string, CellRequest>) => void,
) {
  const requestOptions = { user: board.user ?? user, response_mode: board.response_mode }
  const shared = listCommonFields(cellsWithApp.filter(({ cell }) => !cell.own).map(({ app }) => app.form))
  const requestFor = ({ cell, app }: CellWithApp): CellRequest =>
    toCellRequest(app.form, cell.own ?? board.asked, {
      ...requestOptions,
      commonFields: cell.own ? listCommonFields([app.form]) : shared,
    })

  const run = async () => {
    const requests = new Map(cellsWithApp.map((cellState) => [cellState.cell.id, requestFor(cellState)]))
    const invalidCells = [...requests].filter(([, request]) => !isRequestComplete(request))
    setInvalidRequests(new Map(invalidCells))
    if (invalidCells.length > 0) return
    const ids = new Map(cellsWithApp.map(({ cell }) => [cell.id, Array.from({ length: board.repeat }, newRunId)]))
    roundScheduler.cancel(cellsWithApp.flatMap(({ cell }) => cell.runs))
    roundScheduler.reserve([...ids.values()].flat())
    edit((now) => ({ ...now, cells: now.cells.map((cell) => ({ ...cell, runs: ids.get(cell.id) ?? cell.runs })) }))
    if (!(await save())) return roundScheduler.cancel([...ids.values()].flat())
    for (const cellState of cellsWithApp) {
      const { id: cell_id } = cellState.cell
      const newRuns = ids.get(cell_id) ?? []
      const rounds = toRounds(cellState, board_id, requests.get(cell_id)?.body ?? {})
      if (board.pace === 'one_by_one') roundScheduler.enqueue({ ...rounds, ids: newRuns })
      else for (const id of newRuns) roundScheduler.enqueue({ ...rounds, ids: [id] })
    }
  }

  const rerun = async (
    cellState: CellState,
    run_id: string,
    { body, inputs, user: by, response_mode, pinned_workflow_id }: TurnQuestion,
  ) => {
    if (!hasApp(cellState)) return
    const id = newRunId()
    const { cell } = cellState
    roundScheduler.reserve([id])
    edit((now) => updateCell(now, cell.id, { runs: replaceRun(now, cell, run_id, id) }))
    if (!(await save())) return roundScheduler.cancel([id])
    const rounds = toRounds(cellState, board_id, { ...body, inputs, user: by, response_mode })
    roundScheduler.enqueue({ ...rounds, workflow_id: pinned_workflow_id, ids: [id] })
  }

  /**
   * Sends these rounds, sequentially after the running ones, or all together. Missing values are reported in the
   * cell.
   */
  const sendRounds = (cellState: CellWithApp, ids: readonly string[], isOneByOne: boolean) => {
    const request = findSentRequest(cellState) ?? requestFor(cellState)
    if (!isRequestComplete(request)) {
      roundScheduler.cancel(ids)
      return setInvalidRequests(new Map([[cellState.cell.id, request]]))
    }
    const roundQueue = toRounds(cellState, board_id, request.body)
    if (isOneByOne)
      roundScheduler.enqueue({ ...roundQueue, ids, after: cellState.rounds.findLast(({ isRunning }) => isRunning)?.id })
    else for (const id of ids) roundScheduler.enqueue({ ...roundQueue, ids: [id] })
  }

  const add = async (rounds: number) => {
    const more = cellsWithApp.filter(hasRuns).map((cellState) => {
      const count = Math.min(rounds, MAX_ROUNDS - cellState.cell.runs.length)
      return { known: cellState, ids: Array.from({ length: count }, newRunId) }
    })
    const allRounds = more.flatMap(({ ids }) => ids)
    roundScheduler.reserve(allRounds)
    const idsByCell = new Map(more.map(({ known: { cell }, ids }) => [cell.id, ids]))
    edit((now) => addRuns(now, idsByCell))
    if (!(await save())) return roundScheduler.cancel(allRounds)
    for (const { known: cellState, ids } of more) sendRounds(cellState, ids, board.pace === 'one_by_one')
  }

  const sendRemaining = () => {
    for (const cellState of cellsWithApp) {
      const lost = cellState.rounds.filter(({ isLost }) => isLost).map(({ id }) => id)
      roundScheduler.reserve(lost)
      if (lost.length > 0) sendRounds(cellState, lost, true)
    }
  }

  const rerunRefused = async () => {
    const refused = cellsWithApp.map((cellState) => ({
      cellState,
      replacements: new Map(findRefusedRounds(cellState, cellsWithApp).map((id) => [id, newRunId()])),
    }))
    const newIds = refused.flatMap(({ replacements }) => [...replacements.values()])
    roundScheduler.reserve(newIds)
    edit((now) => ({
      ...now,
      cells: now.cells.map((cell) => {
        const replacements = refused.find(({ cellState }) => cellState.cell.id === cell.id)?.replacements
        return { ...cell, runs: cell.runs.map((id) => replacements?.get(id) ?? id) }
      }),
    }))
    if (!(await save())) return roundScheduler.cancel(newIds)
    const busy = refused.filter(({ replacements }) => replacements.size > 0)
    for (const platform of new Set(busy.map(({ cellState }) => cellState.app.workspace.id)))
      roundScheduler.slowDown(platform)
    for (const { cellState, replacements } of busy) sendRounds(cellState, [...replacements.values()], false)
  }
  return { run, rerun, add, sendRemaining, rerunRefused }
}

/** Rounds of a cell with this request, on the cell's version. */
const toRounds = (
  { cell, app, entry }: CellWithApp,
  board_id: string,
  body: Record<string, unknown>,
): Omit<RoundRequest, 'ids'> => ({
  entry,
  board_id,
  key: app.key.id,
  platform: app.workspace.id,
  workflow_id: cell.workflow_id ?? null,
  body: isStreamingOnly(app.key) ? { ...body, response_mode: 'streaming' } : body,
})

const isRequestComplete = ({ errors, missing }: CellRequest): boolean =>
  missing === null && Object.keys(errors).length === 0

const replaceRun = (board: Board, { id }: BoardCell, run_id: string, replacementId: string): string[] =>
  board.cells.find((cell) => cell.id === id)?.runs.map((one) => (one === run_id ? replacementId : one)) ?? []

/** Rounds of a cell that were answered a bare 500, where the same platform did so to several rounds of the board. */
function findRefusedRounds(cellState: CellWithApp, cellsWithApp: readonly CellWithApp[]): string[] {
  const samePlatform = cellsWithApp.filter(({ app }) => app.workspace.id === cellState.app.workspace.id)
  const isBurst = samePlatform.flatMap(({ rounds }) => rounds.filter(isAnswered500)).length > 1
  return isBurst ? cellState.rounds.filter(isAnswered500).map(({ id }) => id) : []
}

const isAnswered500 = ({ row }: CellState['rounds'][number]): boolean =>
  row?.status === 'failed' && row.problem?.kind === 'refused' && row.problem.upstream?.status === 500

const canStopRun = ({ app, entry }: CellWithApp): boolean => app.key.offers.includes(STOP_ENTRIES[entry])

/** What the first rounds were asked, should the form have changed since. */
function findSentRequest({ rounds }: CellWithApp): CellRequest | null {
  const sent = rounds.map(({ id, row }) => runStore.view(id)?.sent?.body ?? row?.request).find((body) => body)
  return sent ? { body: sent as Record<string, unknown>, errors: {}, missing: null } : null
}

function listRunningRounds(cellState: CellWithApp): RunningRound[] {
  if (!canStopRun(cellState)) return []
  return cellState.rounds
    .filter(({ isRunning }) => isRunning)
    .flatMap(({ id, row }) => {
      const view = runStore.view(id)
      const state = view?.state as AnswerState | RunState | undefined
      const task_id = state?.task_id ?? row?.task_id
      const sent = (view?.sent?.body ?? row?.request) as { user?: string } | undefined
      return task_id
        ? [{ key: cellState.app.key, stopEntry: STOP_ENTRIES[cellState.entry], task_id, user: sent?.user ?? '' }]
        : []
    })
}

/** Tells the scheduler of the rounds that the server knows to have ended. */
function useFinishedRounds(cells: readonly CellState[]): void {
  useEffect(() => {
    for (const { id, row } of cells.flatMap((cellState) => cellState.rounds))
      if (row && !isActiveStatus(row.status)) roundScheduler.isFinished(id)
  }, [cells])
}

/** A reloaded tab continues with its unsent rounds; another tab asks first. */
function useResumeRounds(board_id: string, isSending: boolean, hasLost: boolean, sendRemaining: () => void): void {
  const name = `loupe-rounds:${board_id}`
  const canResume = useEffectEvent(sendRemaining)
  useEffect(() => {
    if (!hasLost || isSending || sessionStorage.getItem(name) === null) return
    sessionStorage.removeItem(name)
    canResume()
  }, [name, hasLost, isSending])
  useEffect(() => {
    if (!isSending) return
    sessionStorage.setItem(name, '1')
    // Not called where the page itself goes: then the mark is found again.
    return () => sessionStorage.removeItem(name)
  }, [name, isSending])
}
