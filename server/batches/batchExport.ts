import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import {
  BATCH_EXPORT_FORMATS,
  type BatchRowInput,
  BATCH_ROW_STATES,
  type BatchRowState,
} from '#contract/console/batches.ts'
import { UTF8_BOM, toCsvLine } from '#domain/csv.ts'
import { writeXlsx } from '#domain/spreadsheet/xlsxWriter.ts'
import { RUN_FIGURES } from '#contract/console/runs.ts'
import { Id } from '#contract/endpoint.ts'
import { toInvalidProblem, ProblemError } from '#contract/problem.ts'
import { recordAudit } from '../auth/audit/auditLog.ts'
import { toActor } from '../auth/peopleRoutes.ts'
import type { SessionConnections } from '../auth/sessionConnections.ts'
import type { Database } from '../db/database.ts'
import { withLargeBodies } from '../ledger/bodies/largeBody.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { redact, redactSecrets } from '../vault/keyRedaction.ts'
import type { Vault } from '../vault/vault.ts'
import { type BatchStore, throwBatchNotFound } from './batchStore.ts'
import { type CsvCell, ExportColumns, toUniqueColumnNames } from './exportColumns.ts'
import type { BatchRowHandler } from './batchKind.ts'
import type { BatchRecord, BatchRowRecord } from './batchRecord.ts'

const BatchExportQuery = z.strictObject({
  format: z.enum(BATCH_EXPORT_FORMATS),
  state: z.enum(BATCH_ROW_STATES).optional(),
})
const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/jsonl; charset=utf-8',
}
/** Rows per read; each may contain an answer of megabytes. */
const PAGE_ROWS = 50

/** `GET /api/batches/:batch_id/export`: streams the rows as a file. No value of any key is in it. */
export function registerBatchExportRoute(
  app: FastifyInstance,
  {
    batches,
    database,
    vault,
    sessionConnections,
    kindOf: getKind,
  }: {
    batches: BatchStore
    database: Database
    vault: Vault
    sessionConnections: SessionConnections
    kindOf: (batch: BatchRecord) => BatchRowHandler
  },
): void {
  app.get('/api/batches/:batch_id/export', { config: { permission: 'export' } }, async (request, reply) => {
    const { batch_id } = request.params as { batch_id: string }
    const query = BatchExportQuery.safeParse(request.query)
    if (!query.success) throw new ProblemError(toInvalidProblem('query', query.error))
    if (!Id.safeParse(batch_id).success) throwBatchNotFound()
    const batch = await batches.getRecord(batch_id, request.accessScope)
    const { format, state } = query.data
    await database.transaction((client) =>
      recordAudit(client, {
        action: 'export.batch',
        ...toActor(request),
        workspace: batch.workspace_id,
        about: batch.id,
        label: batch.name,
        detail: query.data,
      }),
    )
    const secrets = await vault.listSecrets()
    sessionConnections.registerDownload(reply)
    const rows = () => readExportedRows(database.pool, batch, getKind(batch), state)
    const writers = {
      csv: () => redactSecrets(secrets, writeCsv(toTable(batch, rows))),
      xlsx: () => writeXlsx(redactCells(secrets, toTable(batch, rows))),
      jsonl: () => redactSecrets(secrets, writeJsonl(rows())),
    }
    const name = encodeURIComponent(`${batch.name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim() || 'batch'}.${format}`)
    return reply
      .type(CONTENT_TYPES[format])
      .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
      .send(Readable.from(writers[format]()))
  })
}

/** The column of a call, and of the export. */
const FIRST_TOKEN = RUN_FIGURES.firstToken.field

interface ExportedRow {
  row: BatchRowRecord & { input: BatchRowInput }
  firstTokenMs: number | null
  /** The outputs of each turn, if there was more than one. */
  turns: Record<string, unknown>[]
  outputs: Record<string, unknown>
}

type AnsweredCall = Pick<CallRow, 'id' | 'answer' | 'reply' | 'answer_body_id' | 'reply_body_id'>
const ANSWER_COLUMNS = 'calls.id, calls.answer, calls.reply, calls.answer_body_id, calls.reply_body_id'

async function* readExportedRows(
  pool: Pool,
  batch: BatchRecord,
  kind: BatchRowHandler,
  state: BatchRowState | undefined,
): AsyncGenerator<ExportedRow> {
  for (let after = 0; ;) {
    const { rows } = await pool.query<ExportedRow['row'] & AnsweredCall & Pick<CallRow, typeof FIRST_TOKEN>>(
      `SELECT batch_rows.*, ${ANSWER_COLUMNS}, calls.${FIRST_TOKEN}
       FROM batch_rows LEFT JOIN calls ON calls.id = batch_rows.run_id
       WHERE batch_id = $1 AND number > $2 AND ($3::text IS NULL OR state = $3) ORDER BY number LIMIT ${PAGE_ROWS}`,
      [batch.id, after, state ?? null],
    )
    for (const { id, answer, reply, answer_body_id, reply_body_id, [FIRST_TOKEN]: firstTokenMs, ...row } of rows) {
      const turns = row.turn_run_ids.length > 0 ? await readTurns(pool, row, kind) : []
      const outputs = await readOutputs(pool, { id, answer, reply, answer_body_id, reply_body_id }, kind)
      yield { row, firstTokenMs, turns: turns.length > 0 ? [...turns, outputs] : [], outputs }
    }
    after = rows.at(-1)?.number ?? after
    if (rows.length < PAGE_ROWS) return
  }
}

async function readTurns(
  pool: Pool,
  { turn_run_ids }: BatchRowRecord,
  kind: BatchRowHandler,
): Promise<Record<string, unknown>[]> {
  const { rows } = await pool.query<AnsweredCall>(`SELECT ${ANSWER_COLUMNS} FROM calls WHERE id = ANY($1)`, [
    turn_run_ids,
  ])
  const calls = await Promise.all(rows.map(async (row) => [row.id, await readOutputs(pool, row, kind)] as const))
  const outputs = new Map(calls)
  return turn_run_ids.map((run_id) => outputs.get(run_id) ?? {})
}

const readOutputs = async (pool: Pool, call: AnsweredCall, kind: BatchRowHandler) =>
  kind.toOutputs?.(await withLargeBodies(pool, call)) ?? {}

/**
 * The rows as a table, its headers first: the columns of the source file, then those of the result. Reads the rows twice:
 * the columns are known only after the last row.
 */
async function* toTable(
  batch: BatchRecord,
  readRows: () => AsyncGenerator<ExportedRow>,
): AsyncGenerator<readonly (CsvCell | undefined)[]> {
  const columns = new ExportColumns(batch.source)
  const toColumnsRow = ({ row, turns, outputs }: ExportedRow) => {
    const answers = turns.map(({ answer }, index) => [`answer_${index + 1}`, answer ?? null])
    return { ...row.input, outputs: { ...(Object.fromEntries(answers) as object), ...outputs } }
  }
  for await (const exported of readRows()) {
    columns.add(toColumnsRow(exported))
    // It may have an answer when it is read again.
    if (exported.row.state === 'waiting' || exported.row.state === 'running') columns.addOverflowColumn()
  }
  yield toUniqueColumnNames([...columns.sourceHeaders, 'row', 'state', ...columns.headers, ...METRIC_COLUMNS])
  for await (const exported of readRows()) {
    const { row, firstTokenMs } = exported
    const columnsRow = toColumnsRow(exported)
    yield [
      ...columns.toSourceCells(columnsRow),
      row.file_row ?? row.number,
      row.state,
      ...columns.toCells(columnsRow),
      row.run_id,
      row.problem?.message,
      row.attempts,
      row.tokens,
      row.price,
      row.currency,
      row.duration_ms,
      firstTokenMs,
    ]
  }
}
const METRIC_COLUMNS = ['run_id', 'error', 'attempts', 'tokens', 'price', 'currency', 'latency_ms', FIRST_TOKEN]

/** Like `redactSecrets`, for a file that is compressed as it is written. */
async function* redactCells(
  secrets: readonly string[],
  table: AsyncIterable<readonly (CsvCell | undefined)[]>,
): AsyncGenerator<readonly (CsvCell | undefined)[]> {
  for await (const cells of table)
    yield cells.map((cell) => (typeof cell === 'string' ? secrets.reduce(redact, cell) : cell))
}

async function* writeCsv(table: AsyncIterable<readonly (CsvCell | undefined)[]>): AsyncGenerator<string> {
  let start = UTF8_BOM
  for await (const cells of table) {
    yield start + toCsvLine(cells)
    start = ''
  }
}

async function* writeJsonl(rows: AsyncGenerator<ExportedRow>): AsyncGenerator<string> {
  for await (const { row, firstTokenMs, turns, outputs } of rows)
    yield `${JSON.stringify({
      row: row.file_row ?? row.number,
      state: row.state,
      inputs: row.input.inputs,
      ...(row.input.files ? { files: row.input.files } : {}),
      ...(row.input.turns ? { questions: row.input.turns } : {}),
      column: row.input.beside,
      ...outputs,
      ...(turns.length > 0 ? { turns, turn_run_ids: row.turn_run_ids } : {}),
      run_id: row.run_id,
      error: row.problem,
      attempts: row.attempts,
      began_at: row.began_at,
      tokens: row.tokens,
      price: row.price,
      currency: row.currency,
      latency_ms: row.duration_ms,
      [FIRST_TOKEN]: firstTokenMs,
    })}\n`
}
