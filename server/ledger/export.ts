import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { CallExport, type CallFilters, type CallFormat } from '#contract/calls.ts'
import { CSV_MARK, csvLine } from '#contract/csv.ts'
import { Id } from '#contract/endpoint.ts'
import { invalid, ProblemError } from '#contract/problem.ts'
import type { Database } from '../database/database.ts'
import { record } from '../access/audit.ts'
import { byOf } from '../access/people-routes.ts'
import type { Reach } from '../access/reach.ts'
import { redact } from '../relay/redact.ts'
import type { Vault } from '../vault/vault.ts'
import { callOf } from './call.ts'
import { harOf } from './har.ts'
import type { CallRow } from './call.ts'
import type { Ledger } from './ledger.ts'
import { findCalls } from './search.ts'

export interface ExportParts {
  database: Database
  ledger: Ledger
  vault: Vault
  version: string
}

const TYPES: Record<CallFormat, string> = {
  har: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}
/** Ids that are found at once. The calls themselves are read one by one: each may be megabytes. */
const PAGE = 100

/** `GET /api/calls/export`: the calls of a list as a file, written as they are read. No value of any key is in it. */
export function callExportRoute(app: FastifyInstance, parts: ExportParts): void {
  app.get('/api/calls/export', { config: { permission: 'export' } }, async (request, reply) => {
    const query = CallExport.safeParse(request.query)
    if (!query.success) throw new ProblemError(invalid('query', query.error))
    const { format, ...filters } = query.data
    await parts.database.transaction((client) =>
      record(client, {
        action: 'export.calls',
        ...byOf(request),
        workspace: Id.safeParse(filters.workspace).data ?? null,
        detail: query.data,
      }),
    )
    const secrets = await parts.vault.secrets()
    const rows = exported(parts, filters, request.reach)
    const written = { har: harOf, jsonl, csv }[format](rows, parts)
    return reply
      .type(TYPES[format])
      .header('content-disposition', `attachment; filename="ledger.${format}"`)
      .send(Readable.from(without(secrets, written)))
  })
}

async function* exported(
  { database, ledger }: ExportParts,
  filters: CallFilters,
  reach: Reach,
): AsyncGenerator<CallRow> {
  for (let before: string | undefined; ;) {
    const { ids, next } = await findCalls(database, filters, { before, limit: PAGE, reach })
    for (const id of ids) {
      const row = await ledger.read(id)
      if (row) yield row
    }
    if (next === null) return
    before = next
  }
}

/** A person may have typed a key into a question, and what was sent is kept as it was. */
async function* without(secrets: string[], written: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const text of written) yield secrets.reduce(redact, text)
}

async function* jsonl(rows: AsyncGenerator<CallRow>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify({ ...callOf(row, true), answer: row.answer ?? null })}\n`
}

async function* csv(rows: AsyncGenerator<CallRow>, { vault }: ExportParts): AsyncGenerator<string> {
  const workspaces = await vault.list()
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  const apps = new Map(workspaces.flatMap(({ keys }) => keys.map(({ id, label }) => [id, label] as const)))
  yield CSV_MARK + csvLine(HEADS)
  for await (const row of rows)
    yield csvLine([
      row.id,
      row.created_at.toISOString(),
      row.person,
      names.get(row.workspace_id) ?? row.workspace_id,
      apps.get(row.key_id) ?? row.key_id,
      row.entry,
      row.status,
      row.http_status,
      row.duration_ms,
      row.first_token_ms,
      row.total_tokens,
      row.total_price,
      row.currency,
      row.end_user,
      row.title,
      row.note,
      row.problem?.message,
    ])
}

const HEADS = [
  'id',
  'time',
  'person',
  'workspace',
  'app',
  'operation',
  'status',
  'http_status',
  'duration_ms',
  'first_token_ms',
  'tokens',
  'price',
  'currency',
  'user',
  'title',
  'note',
  'error',
]
