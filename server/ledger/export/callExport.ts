import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { CallQuery } from '#contract/console/callQuery.ts'
import { pickRunFigures, RUN_FIGURES } from '#contract/console/runs.ts'
import { CallExportQuery, type CallFormat } from '#contract/console/calls.ts'
import { UTF8_BOM, toCsvLine } from '#domain/csv.ts'
import { Id } from '#contract/endpoint.ts'
import { toInvalidProblem, ProblemError } from '#contract/problem.ts'
import type { Database } from '../../db/database.ts'
import { recordAudit } from '../../auth/audit/auditLog.ts'
import { toActor } from '../../auth/peopleRoutes.ts'
import type { AccessScope } from '../../auth/accessScope.ts'
import type { SessionConnections } from '../../auth/sessionConnections.ts'
import { redactSecrets } from '../../vault/keyRedaction.ts'
import type { Vault } from '../../vault/vault.ts'
import { toCall } from '../callRow.ts'
import { writeHar } from './harExport.ts'
import type { CallRow } from '../callRow.ts'
import type { Ledger } from '../ledger.ts'
import { findCalls } from '../callSearch.ts'

export interface ExportDeps {
  database: Database
  ledger: Ledger
  vault: Vault
  version: string
  sessionConnections: SessionConnections
}

const CONTENT_TYPES: Record<CallFormat, string> = {
  har: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}
/** Ids per query. Calls are read one by one: each may take megabytes. */
const PAGE_ROWS = 100

/** `GET /api/calls/export`: the calls of a list as a file, written as they are read. No value of any key is in it. */
export function registerCallExportRoute(app: FastifyInstance, parts: ExportDeps): void {
  app.get('/api/calls/export', { config: { permission: 'export' } }, async (request, reply) => {
    const query = CallExportQuery.safeParse(request.query)
    if (!query.success) throw new ProblemError(toInvalidProblem('query', query.error))
    const { format, ...filters } = query.data
    await parts.database.transaction((client) =>
      recordAudit(client, {
        action: 'export.calls',
        ...toActor(request),
        workspace: Id.safeParse(filters.workspace).data ?? null,
        detail: query.data,
      }),
    )
    const secrets = await parts.vault.listSecrets()
    parts.sessionConnections.registerDownload(reply)
    const rows = readExportedCalls(parts, filters, request.accessScope)
    const chunks = { har: writeHar, jsonl: writeJsonl, csv: writeCsv }[format](rows, parts)
    return reply
      .type(CONTENT_TYPES[format])
      .header('content-disposition', `attachment; filename="ledger.${format}"`)
      .send(Readable.from(redactSecrets(secrets, chunks)))
  })
}

async function* readExportedCalls(
  { database, ledger }: ExportDeps,
  filters: CallQuery,
  accessScope: AccessScope,
): AsyncGenerator<CallRow> {
  for (let before: string | undefined; ;) {
    const { ids, next } = await findCalls(database, filters, { before, limit: PAGE_ROWS, accessScope })
    for (const id of ids) {
      const row = await ledger.findWithBody(id)
      if (row) yield row
    }
    if (next === null) return
    before = next
  }
}

async function* writeJsonl(rows: AsyncGenerator<CallRow>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify({ ...toCall(row, true), answer: row.answer ?? null })}\n`
}

async function* writeCsv(rows: AsyncGenerator<CallRow>, { vault }: ExportDeps): AsyncGenerator<string> {
  const workspaces = await vault.listWorkspaces()
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  const apps = new Map(workspaces.flatMap(({ keys }) => keys.map(({ id, label }) => [id, label] as const)))
  yield UTF8_BOM + toCsvLine(CSV_HEADER)
  for await (const row of rows)
    yield toCsvLine([
      row.id,
      row.created_at.toISOString(),
      row.person,
      names.get(row.workspace_id) ?? row.workspace_id,
      apps.get(row.key_id) ?? row.key_id,
      row.entry,
      row.status,
      row.http_status,
      ...Object.values(pickRunFigures(row)),
      row.end_user,
      row.title,
      row.note,
      row.problem?.message,
    ])
}

const CSV_HEADER = [
  'id',
  'time',
  'person',
  'workspace',
  'app',
  'operation',
  'status',
  'http_status',
  RUN_FIGURES.duration.field,
  RUN_FIGURES.firstToken.field,
  'tokens',
  'price',
  'currency',
  'user',
  'title',
  'note',
  'error',
]
