import type { FastifyInstance } from 'fastify'
import { MAX_KEPT_FILE_BYTES } from '#contract/console/files/linkedFile.ts'
import { contract } from '#contract/index.ts'
import type { Database } from '../../db/database.ts'
import { registerEndpoint } from '../../http/endpointRoute.ts'
import { createRateLimit } from '../../http/rateLimit.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { readFileBytes } from '../../relay/fileReply.ts'
import { fetchLinkedFile } from '../../relay/linkedFile.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { Vault } from '../../vault/vault.ts'
import { requireRun, requireRunWithBody } from '../findRun.ts'
import { deleteKeptFile, findKeptFile, insertKeptFile, listKeptFiles } from './keptFiles.ts'
import { requireNamedFile } from './namedFile.ts'

const MAX_TYPE_CHARS = 255

export function registerKeptFileRoutes(
  app: FastifyInstance,
  { database, ledger, vault, upstream }: { database: Database; ledger: Ledger; vault: Vault; upstream: UpstreamClient },
): void {
  const { pool } = database
  const { listKeptFiles: listEntry, keepFile, deleteKeptFile: deleteEntry } = contract.console

  registerEndpoint(app, listEntry, async ({ params }, { accessScope }) => {
    const { id } = await requireRun(ledger, params.run_id, accessScope)
    const data = await listKeptFiles(pool, id)
    return { data, total: data.length }
  })

  registerEndpoint(
    app,
    keepFile,
    async ({ params, body }, { accessScope, person }) => {
      const run = await requireRunWithBody(ledger, params.run_id, accessScope)
      const credential = await vault.getCredential(run.key_id, accessScope)
      const url = requireNamedFile(run.answer, body.url, credential.base_url)
      const kept = await findKeptFile(pool, run.id, url.href)
      if (kept) return kept
      const response = await fetchLinkedFile(upstream, credential, url, { person })
      const data = await readFileBytes(response, { maxBytes: MAX_KEPT_FILE_BYTES })
      const type = response.contentType.slice(0, MAX_TYPE_CHARS)
      return insertKeptFile(database, run.id, {
        url: url.href,
        name: body.name,
        type,
        data,
        person_id: person?.id ?? null,
      })
    },
    { rateLimit: createRateLimit('upload') },
  )

  registerEndpoint(app, deleteEntry, async ({ params }, { accessScope }) => {
    const { id } = await requireRun(ledger, params.run_id, accessScope)
    await deleteKeptFile(pool, id, params.file_id)
    return { id: params.file_id }
  })
}
