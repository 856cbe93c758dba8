import { Id } from '#contract/endpoint.ts'
import { ProblemError } from '#contract/problem.ts'
import { type Reach, sees } from '../access/reach.ts'
import type { CallRow } from '../ledger/call.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { GENERATING } from './outcome.ts'

/** A run, without what was sent and what came of it. @throws ProblemError 404 */
export async function foundRun(ledger: Ledger, run_id: string, reach: Reach): Promise<CallRow> {
  const id = Id.safeParse(run_id)
  const row = id.success ? await ledger.brief(id.data) : null
  return row && GENERATING.includes(row.entry) && sees(reach, row) ? row : missing()
}

/** A run with all that is kept of it. @throws ProblemError 404 */
export async function wholeRun(ledger: Ledger, run_id: string, reach: Reach): Promise<CallRow> {
  const { id } = await foundRun(ledger, run_id, reach)
  return (await ledger.read(id)) ?? missing()
}

function missing(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'There is no such run.' })
}
