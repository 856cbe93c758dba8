import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { EXPORT_FORMATS, type RowInput, ROW_STATES, type RowState } from '#contract/batches.ts'
import { CSV_MARK, csvLine } from '#contract/csv.ts'
import { Id } from '#contract/endpoint.ts'
import { invalid, ProblemError } from '#contract/problem.ts'
import { record } from '../access/audit.ts'
import { byOf } from '../access/people-routes.ts'
import type { Database } from '../database/database.ts'
import type { CallRow } from '../ledger/call.ts'
import { type Batches, missing } from './batches.ts'
import { Columns } from './columns.ts'
import type { Kind } from './kind.ts'
import type { BatchRecord, RowRecord } from './record.ts'

const Query = z.strictObject({ format: z.enum(EXPORT_FORMATS), state: z.enum(ROW_STATES).optional() })
const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' }
/** Rows that are read at once; each may hold an answer of megabytes. */
const PAGE = 50

/** `GET /api/batches/:batch_id/export`: the rows as a file, streamed as they are read. */
export function exportRoute(
  app: FastifyInstance,
  { batches, database, kindOf }: { batches: Batches; database: Database; kindOf: (batch: BatchRecord) => Kind },
): void {
  app.get('/api/batches/:batch_id/export', { config: { permission: 'export' } }, async (request, reply) => {
    const { batch_id } = request.params as { batch_id: string }
    const query = Query.safeParse(request.query)
    if (!query.success) throw new ProblemError(invalid('query', query.error))
    const batch = (Id.safeParse(batch_id).success && (await batches.record(batch_id, request.reach))) || missing()
    const { format, state } = query.data
    await database.transaction((client) =>
      record(client, {
        action: 'export.batch',
        ...byOf(request),
        workspace: batch.workspace_id,
        about: batch.id,
        label: batch.name,
        detail: query.data,
      }),
    )
    const rows = () => exported(database.pool, batch, kindOf(batch), state)
    const name = encodeURIComponent(`${batch.name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim() || 'batch'}.${format}`)
    return reply
      .type(TYPES[format])
      .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
      .send(Readable.from(format === 'csv' ? csv(rows) : jsonl(rows())))
  })
}

interface Exported {
  row: RowRecord & { input: RowInput }
  first_token_ms: number | null
  outputs: Record<string, unknown>
}

async function* exported(
  pool: Pool,
  batch: BatchRecord,
  kind: Kind,
  state: RowState | undefined,
): AsyncGenerator<Exported> {
  for (let after = 0; ;) {
    const { rows } = await pool.query<Exported['row'] & Pick<CallRow, 'answer' | 'reply' | 'first_token_ms'>>(
      `SELECT batch_rows.*, calls.answer, calls.reply, calls.first_token_ms
       FROM batch_rows LEFT JOIN calls ON calls.id = batch_rows.run_id
       WHERE batch_id = $1 AND number > $2 AND ($3::text IS NULL OR state = $3) ORDER BY number LIMIT ${PAGE}`,
      [batch.id, after, state ?? null],
    )
    for (const { answer, reply, first_token_ms, ...row } of rows)
      yield { row, first_token_ms, outputs: kind.outputs({ answer, reply }) }
    after = rows.at(-1)?.number ?? after
    if (rows.length < PAGE) return
  }
}

/** The rows are read twice: their columns are known only when the last one has been seen. */
async function* csv(rows: () => AsyncGenerator<Exported>): AsyncGenerator<string> {
  const columns = new Columns()
  for await (const { row, outputs } of rows()) columns.add({ ...row.input, outputs })
  yield CSV_MARK + csvLine(['row', 'state', ...columns.heads, ...FIGURES])
  for await (const { row, first_token_ms, outputs } of rows())
    yield csvLine([
      row.number,
      row.state,
      ...columns.cells({ ...row.input, outputs }),
      row.run_id,
      row.problem?.message,
      row.attempts,
      row.tokens,
      row.price,
      row.currency,
      row.duration_ms,
      first_token_ms,
    ])
}
const FIGURES = ['run_id', 'error', 'attempts', 'tokens', 'price', 'currency', 'latency_ms', 'first_token_ms']

async function* jsonl(rows: AsyncGenerator<Exported>): AsyncGenerator<string> {
  for await (const { row, first_token_ms, outputs } of rows)
    yield `${JSON.stringify({
      row: row.number,
      state: row.state,
      inputs: row.input.inputs,
      ...(row.input.files ? { files: row.input.files } : {}),
      column: row.input.beside,
      ...outputs,
      run_id: row.run_id,
      error: row.problem,
      attempts: row.attempts,
      began_at: row.began_at,
      tokens: row.tokens,
      price: row.price,
      currency: row.currency,
      latency_ms: row.duration_ms,
      first_token_ms,
    })}\n`
}
