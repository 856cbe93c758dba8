import { Id } from '#contract/endpoint.ts'
import { ProblemError } from '#contract/problem.ts'
import { type AccessScope, isInScope } from '../auth/accessScope.ts'
import type { CallRow } from '../ledger/callRow.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { GENERATING_ENTRIES } from '../ledger/runStatus.ts'

/** @throws ProblemError 404 */
export async function requireRun(ledger: Ledger, run_id: string, accessScope: AccessScope): Promise<CallRow> {
  const id = Id.safeParse(run_id)
  const row = id.success ? await ledger.findSummary(id.data) : null
  return row && GENERATING_ENTRIES.includes(row.entry) && isInScope(accessScope, row) ? row : throwRunNotFound()
}

/** @throws ProblemError 404 */
export async function requireRunWithBody(ledger: Ledger, run_id: string, reach: AccessScope): Promise<CallRow> {
  const { id } = await requireRun(ledger, run_id, reach)
  return (await ledger.findWithBody(id)) ?? throwRunNotFound()
}

function throwRunNotFound(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The run was not found.' })
}
