import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { type Batch, MAX_ROW_CHARS } from '#contract/console/batches.ts'
import { contract } from '#contract/index.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import { invalidFieldError } from '#contract/problem.ts'
import { isStreamingOnly } from '#domain/platformKeys/responseMode.ts'
import { requirePerson } from '../auth/accountRoutes.ts'
import { requirePartsInScope } from '../auth/resourceScope.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { toPageReply } from '../http/pageReply.ts'
import type { Vault } from '../vault/vault.ts'
import type { BatchStore } from './batchStore.ts'
import { withRunsOfJob } from './runJobs.ts'
import { getRowTarget } from './batchKind.ts'
import type { BatchQueue } from './batchQueue.ts'

export function registerBatchRoutes(
  app: FastifyInstance,
  { pool, batches, queue, vault }: { pool: Pool; batches: BatchStore; queue: BatchQueue; vault: Vault },
): void {
  const entries = contract.console

  registerEndpoint(app, entries.listBatches, async ({ query }, { accessScope }) => {
    const { page, limit } = query
    return toPageReply(await batches.list({ ...query, reach: accessScope }, page, limit), query)
  })

  registerEndpoint(app, entries.readBatch, async ({ params }, { accessScope }) => {
    const batch = await batches.get(params.batch_id, accessScope)
    if (batch.counts.unknown === 0) return batch
    const record = await batches.getRecord(batch.id, accessScope)
    return (await queue.reconcileUnknownRows(record)) ? batches.get(batch.id, accessScope) : batch
  })

  registerEndpoint(app, entries.createBatch, async ({ body }, request) => {
    const { key, id, omitted, ...input } = body
    const { accessScope } = request
    const { kind, mode, key_id, workspace_id } = await vault.getCredential(key, accessScope)
    await requirePartsInScope(pool, accessScope, { body: { id, settings: input.settings } })
    const entry = ENTRY_BY_KEY_KIND[input.kind][kind]
    if (!entry)
      throw invalidFieldError('body.key', `must be the key of ${ACCEPTED_KEYS[input.kind]}; this is a ${kind} key`)
    if (input.kind === 'run' && !input.settings) throw invalidFieldError('body.settings', 'is required for runs')
    if (input.kind === 'run' && omitted) throw invalidFieldError('body.omitted', 'is for annotations only')
    if (input.settings?.workflow_id && entry !== 'workflows.run' && entry !== 'chat.send')
      throw invalidFieldError('body.settings.workflow_id', 'is for workflows and chatflows only')
    if (input.settings?.response_mode === 'blocking' && isStreamingOnly({ mode }))
      throw invalidFieldError('body.settings.response_mode', 'must be streaming: agent apps refuse a blocking request')
    const owner = { id: id?.toLowerCase() ?? randomUUID(), key_id, workspace_id, person_id: request.person?.id ?? null }
    const settings = omitted ? { omitted } : input.settings
    return batches.create({ ...input, ...owner, entry, settings }, accessScope)
  })

  registerEndpoint(app, entries.addBatchRows, async ({ params, body }, { accessScope }) => {
    const batch = await batches.getRecord(params.batch_id, accessScope)
    await requirePartsInScope(pool, accessScope, { body: { rows: body.rows.map(({ files }) => files) } })
    const kind = queue.getHandler(batch)
    for (const [index, row] of body.rows.entries()) {
      const what = JSON.stringify(row).length > MAX_ROW_CHARS ? `is over ${MAX_ROW_CHARS} characters` : null
      const wrong = what ?? kind.validate?.(getRowTarget({ batch, key_id: null, input: row }), row)?.message
      if (wrong) throw invalidFieldError(`body.rows.${index}`, `(row ${body.first + index}) ${wrong}`)
    }
    return { id: batch.id, missing: await batches.addRows(batch.id, body.first, body.rows) }
  })

  registerEndpoint(app, entries.updateBatch, async ({ params, body }, { accessScope }) => {
    const { id } = await batches.get(params.batch_id, accessScope)
    await batches.update(id, body)
    await queue.notifyChanged(id)
    return batches.get(id, accessScope)
  })

  registerEndpoint(app, entries.startBatch, async ({ params, body }, request) => {
    const { id } = await batches.get(params.batch_id, request.accessScope)
    const { only, ...bounds } = body
    await batches.update(id, bounds)
    await batches.start(id, requirePerson(request).id, only)
    await queue.notifyChanged(id, true)
    return batches.get(id, request.accessScope)
  })

  registerEndpoint(app, entries.pauseBatch, async ({ params }, { accessScope }) => {
    const { id } = await batches.get(params.batch_id, accessScope)
    await batches.pause(id)
    await queue.notifyChanged(id)
    return batches.get(id, accessScope)
  })

  registerEndpoint(app, entries.cancelBatch, async ({ params }, { accessScope }) => {
    const batch = await batches.getRecord(params.batch_id, accessScope)
    if (await batches.cancel(batch.id)) await queue.getHandler(batch).onEnded?.(batch.id)
    await queue.notifyChanged(batch.id)
    return batches.get(batch.id, accessScope)
  })

  registerEndpoint(app, entries.retryBatch, async ({ params, body }, request) => {
    const { id } = await batches.get(params.batch_id, request.accessScope)
    await batches.retry(id, body.states, body.number, requirePerson(request).id)
    await queue.notifyChanged(id, true)
    return batches.get(id, request.accessScope)
  })

  registerEndpoint(app, entries.deleteBatch, async ({ params }, { accessScope }) => {
    const { id } = await batches.get(params.batch_id, accessScope)
    await batches.remove(id)
    return { id }
  })

  registerEndpoint(app, entries.listBatchRows, async ({ params, query }, { accessScope }) => {
    const { page, limit, state } = query
    const batch = await batches.getRecord(params.batch_id, accessScope)
    const { data, total } = await batches.listRows(batch, state, (page - 1) * limit, limit)
    return toPageReply(
      { data: batch.kind === 'runs' ? await withRunsOfJob(pool, data, accessScope) : data, total },
      query,
    )
  })
}

/** The operation that a row of each kind calls, by the kind of its key. */
const ENTRY_BY_KEY_KIND: Record<'run' | 'annotations', Partial<Record<KeyKind, Batch['entry']>>> = {
  run: { chat: 'chat.send', completion: 'completion.send', workflow: 'workflows.run' },
  annotations: { chat: 'annotations.create', completion: 'annotations.create' },
}
const ACCEPTED_KEYS = { run: 'a chat, a completion or a workflow', annotations: 'a chat or a completion' }
