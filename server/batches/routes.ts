import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { type Batch, type BatchKind, ROW_LENGTH } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import { badField } from '#contract/problem.ts'
import { whoAsks } from '../access/account-routes.ts'
import { requireInScope } from '../access/scope.ts'
import { route } from '../plugins/route.ts'
import type { Vault } from '../vault/vault.ts'
import { type Batches, missing } from './batches.ts'
import type { Queue } from './queue.ts'

/** Batches: made, filled, started, paused, retried, read. The queue does their work. */
export function batchRoutes(
  app: FastifyInstance,
  { pool, batches, queue, vault }: { pool: Pool; batches: Batches; queue: Queue; vault: Vault },
): void {
  const entries = contract.console

  route(app, entries.listBatches, async ({ query }, { reach }) => {
    const { page, limit } = query
    const { data, total } = await batches.list({ ...query, reach }, page, limit)
    return { data, total, page, limit, has_more: page * limit < total }
  })

  route(app, entries.readBatch, async ({ params }, { reach }) => {
    const batch = await batches.read(params.batch_id, reach)
    if (batch.counts.unknown === 0) return batch
    const record = (await batches.record(batch.id, reach)) ?? missing()
    return (await queue.recheck(record)) ? batches.read(batch.id, reach) : batch
  })

  route(app, entries.createBatch, async ({ body }, request) => {
    const { key, id, ...given } = body
    const { reach } = request
    const { kind, key_id, workspace_id } = await vault.credential(key, reach)
    await requireInScope(pool, reach, { body: { id } })
    const entry = ENTRIES[given.kind][kind]
    if (!entry) throw badField('body.key', `must be the key of ${TAKEN[given.kind]}; this is a ${kind} key`)
    if (given.kind === 'run' && !given.settings) throw badField('body.settings', 'is required for runs')
    const made = { id: id?.toLowerCase() ?? randomUUID(), key_id, workspace_id, person_id: request.person?.id ?? null }
    return batches.create({ ...given, ...made, entry }, reach)
  })

  route(app, entries.addBatchRows, async ({ params, body }, { reach }) => {
    const batch = (await batches.record(params.batch_id, reach)) ?? missing()
    await requireInScope(pool, reach, { body: { rows: body.rows.map(({ files }) => files) } })
    const kind = queue.kindOf(batch)
    for (const [index, row] of body.rows.entries()) {
      const what = JSON.stringify(row).length > ROW_LENGTH ? `is over ${ROW_LENGTH} characters` : null
      const wrong = what ?? kind.check(batch, row)?.message
      if (wrong) throw badField(`body.rows.${index}`, `(row ${body.first + index}) ${wrong}`)
    }
    return { id: batch.id, missing: await batches.addRows(batch.id, body.first, body.rows) }
  })

  route(app, entries.updateBatch, async ({ params, body }, { reach }) => {
    const { id } = await batches.read(params.batch_id, reach)
    await batches.update(id, body)
    await queue.changed(id)
    return batches.read(id, reach)
  })

  route(app, entries.startBatch, async ({ params, body }, request) => {
    const { id } = await batches.read(params.batch_id, request.reach)
    const { only, ...bounds } = body
    await batches.update(id, bounds)
    await batches.start(id, whoAsks(request).id, only)
    await queue.changed(id, true)
    return batches.read(id, request.reach)
  })

  route(app, entries.pauseBatch, async ({ params }, { reach }) => {
    const { id } = await batches.read(params.batch_id, reach)
    await batches.pause(id)
    await queue.changed(id)
    return batches.read(id, reach)
  })

  route(app, entries.retryBatch, async ({ params, body }, request) => {
    const { id } = await batches.read(params.batch_id, request.reach)
    await batches.retry(id, body.states, body.number)
    await batches.start(id, whoAsks(request).id)
    await queue.changed(id, true)
    return batches.read(id, request.reach)
  })

  route(app, entries.deleteBatch, async ({ params }, { reach }) => {
    const { id } = await batches.read(params.batch_id, reach)
    await batches.remove(id)
    return { id }
  })

  route(app, entries.listBatchRows, async ({ params, query }, { reach }) => {
    const { page, limit, state } = query
    const batch = (await batches.record(params.batch_id, reach)) ?? missing()
    const { data, total } = await batches.rows(batch, state, (page - 1) * limit, limit)
    return { data, total, page, limit, has_more: page * limit < total }
  })
}

/** What a row of each kind calls, by the kind of its key. */
const ENTRIES: Record<BatchKind, Partial<Record<KeyKind, Batch['entry']>>> = {
  run: { completion: 'completion.send', workflow: 'workflows.run' },
  annotations: { chat: 'annotations.create', completion: 'annotations.create' },
}
const TAKEN = { run: 'a completion or a workflow', annotations: 'a chat or a completion' }
