import { ProblemError } from '#contract/problem.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import { toFileEntries } from '../runs/inputs/inputFiles.ts'
import { toExtraValues, toInputFields, toFormValues } from '../runs/inputs/inputFields.ts'
import { call } from '../../client/http.ts'
import { newRunId } from '../../client/useRun.ts'
import { type BoardInput, type Board, type BoardCell, emptyBoardInput, emptyBoard, addCell } from './board.ts'
import { QUESTION_FIELD } from './request/cellRequest.ts'

/** What to add to a board: a finished run, an app by its key, or both. */
export interface BoardAddition {
  run: string | null
  app: string | null
}

const toCells = ({ run, app }: BoardAddition): BoardCell[] => [
  ...(run === null ? [] : [{ id: newRunId(), key: null, own: null, runs: [run] }]),
  ...(app === null ? [] : [{ id: newRunId(), key: app, own: null, runs: [] }]),
]

/** The board with what is wanted on it, as far as there is room. */
export const addToBoard = (board: Board, addition: BoardAddition): Board => toCells(addition).reduce(addCell, board)

/** A board that asks what the run asked, so that another app can be asked the same. */
export async function createBoardFor(addition: BoardAddition): Promise<Board> {
  const input = addition.run === null ? emptyBoardInput : await readRunInput(addition.run)
  return addToBoard({ ...emptyBoard, asked: input }, addition)
}

async function readRunInput(run_id: string): Promise<BoardInput> {
  const { request, key } = await call(runEndpoints.readRun, { params: { run_id } })
  const body = (typeof request === 'object' && request !== null ? request : {}) as Record<string, unknown>
  const inputs = (typeof body.inputs === 'object' && body.inputs !== null ? body.inputs : {}) as Record<string, unknown>
  // Without its form the inputs are taken over as JSON, each under its name.
  const parameters = await call(appParameterEndpoints.parameters, { key }).catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error
    return undefined
  })
  const fields = toInputFields(parameters)
  const query = body.query ?? inputs[QUESTION_FIELD]
  const ownValues = typeof body.query === 'string' ? inputs : omitKey(inputs, QUESTION_FIELD)
  return {
    query: typeof query === 'string' ? query : '',
    filled: { ...toFormValues(fields, ownValues), ...toExtraValues(fields, ownValues) },
    files: body.files ? toFileEntries(body.files) : [],
  }
}

const omitKey = (values: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([one]) => one !== name))
