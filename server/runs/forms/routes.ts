import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import { registerEndpoint } from '../../http/endpointRoute.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { requireRunWithBody } from '../findRun.ts'
import type { FormService } from './formService.ts'
import { cancelScheduledAnswer } from './scheduledAnswers.ts'
import { listWaitingRuns } from './waitingRuns.ts'

export function registerFormRoutes(
  app: FastifyInstance,
  { pool, ledger, forms }: { pool: Pool; ledger: Ledger; forms: FormService },
): void {
  const { listWaiting, readRunForm, submitRunForm, scheduleRunForm, cancelScheduledForm } = contract.console

  registerEndpoint(app, listWaiting, ({ query }, { accessScope }) => listWaitingRuns(pool, query, accessScope))
  registerEndpoint(app, readRunForm, async ({ params }, { accessScope }) =>
    forms.read(await requireRunWithBody(ledger, params.run_id, accessScope), params.form_id),
  )
  registerEndpoint(app, submitRunForm, async ({ params, body }, request) => {
    const row = await requireRunWithBody(ledger, params.run_id, request.accessScope)
    return forms.submit(row, params.form_id, body, request.person?.id ?? null)
  })
  registerEndpoint(app, scheduleRunForm, async ({ params, body }, request) => {
    const row = await requireRunWithBody(ledger, params.run_id, request.accessScope)
    return forms.schedule(row, params.form_id, body, request.person?.id ?? null)
  })
  registerEndpoint(app, cancelScheduledForm, async ({ params: { run_id, form_id } }, { accessScope }) => {
    await requireRunWithBody(ledger, run_id, accessScope)
    await cancelScheduledAnswer(pool, { run_id, form_id })
    return { form_id }
  })
}
