import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { entriesOf } from '../../run/files.ts'
import { beyondFrom, controlsOf, filledFrom } from '../../run/inputs.ts'
import { call } from '../../wire/call.ts'
import { newRunId } from '../../wire/useRun.ts'
import { type Asked, type Board, type Cell, noAsked, noBoard, plusCell } from './board.ts'
import { QUESTION } from './request.ts'

/** What is to stand on a board: a finished run, an app by its key, or both. */
export interface Wanted {
  run: string | null
  app: string | null
}

const cellsOf = ({ run, app }: Wanted): Cell[] => [
  ...(run === null ? [] : [{ id: newRunId(), key: null, own: null, runs: [run] }]),
  ...(app === null ? [] : [{ id: newRunId(), key: app, own: null, runs: [] }]),
]

/** The board with what is wanted on it, as far as there is room. */
export const boardWith = (board: Board, wanted: Wanted): Board => cellsOf(wanted).reduce(plusCell, board)

/** A board that asks what the run asked, so that another app can be asked the same. */
export async function boardFor(wanted: Wanted): Promise<Board> {
  const asked = wanted.run === null ? noAsked : await askedBy(wanted.run)
  return boardWith({ ...noBoard, asked }, wanted)
}

async function askedBy(run_id: string): Promise<Asked> {
  const { request, key } = await call(contract.console.readRun, { params: { run_id } })
  const body = (typeof request === 'object' && request !== null ? request : {}) as Record<string, unknown>
  const inputs = (typeof body.inputs === 'object' && body.inputs !== null ? body.inputs : {}) as Record<string, unknown>
  // Without its form the inputs are taken over as JSON, each under its name.
  const parameters = await call(contract.workflows.parameters, { key }).catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error
    return undefined
  })
  const controls = controlsOf(parameters)
  const query = body.query ?? inputs[QUESTION]
  const own = typeof body.query === 'string' ? inputs : without(inputs, QUESTION)
  return {
    query: typeof query === 'string' ? query : '',
    filled: { ...filledFrom(controls, own), ...beyondFrom(controls, own) },
    files: body.files ? entriesOf(body.files) : [],
  }
}

const without = (values: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([one]) => one !== name))
