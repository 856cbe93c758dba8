import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { registerEndpoint } from '../../http/endpointRoute.ts'
import { requireRunWithBody } from '../findRun.ts'
import { FormService, type FormDeps } from './formService.ts'
import { listWaitingRuns } from './waitingRuns.ts'

/** Runs that wait for a person, and their forms. */
export function registerFormRoutes(app: FastifyInstance, deps: FormDeps): void {
  const { pool, ledger } = deps
  const forms = new FormService(deps)
  const { listWaiting, readRunForm, submitRunForm } = contract.console

  registerEndpoint(app, listWaiting, ({ query }, { accessScope }) => listWaitingRuns(pool, query, accessScope))
  registerEndpoint(app, readRunForm, async ({ params }, { accessScope }) =>
    forms.read(await requireRunWithBody(ledger, params.run_id, accessScope), params.form_id),
  )
  registerEndpoint(app, submitRunForm, async ({ params, body }, request) => {
    const row = await requireRunWithBody(ledger, params.run_id, request.accessScope)
    return forms.submit(row, params.form_id, body, request.person?.id ?? null)
  })
}
