import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { MAX_SUITE_FILE_BYTES, SuiteFile, suiteFileEndpoints } from '#contract/console/suiteFiles.ts'
import { requirePartsInScope } from '../auth/resourceScope.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { requireCaseJudges, validateCases } from './routes.ts'
import type { Vault } from '../vault/vault.ts'
import type { SuiteFileStore } from './suiteFileStore.ts'
import type { SuiteStore } from './suiteStore.ts'
import { requireJudges, validateChecks } from './suiteTargets.ts'

interface SuiteFileRouteDeps {
  pool: Pool
  vault: Vault
  suites: SuiteStore
  suiteFiles: SuiteFileStore
}

const SCHEMA_PATH = '/suite.schema.json'

/** Suites as files, and the JSON Schema for editors. */
export function registerSuiteFileRoutes(
  app: FastifyInstance,
  { pool, vault, suites, suiteFiles }: SuiteFileRouteDeps,
): void {
  const schema = JSON.stringify({
    title: 'A suite of Loupe',
    ...z.toJSONSchema(SuiteFile, { io: 'input', target: 'draft-7' }),
  })
  app.get(SCHEMA_PATH, { config: { permission: 'open' } }, (_request, reply) =>
    reply.type('application/schema+json; charset=utf-8').header('cache-control', 'no-cache').send(schema),
  )

  registerEndpoint(app, suiteFileEndpoints.readSuiteFile, async ({ params }, request) => {
    const { id } = await suites.get(params.suite_id, request.accessScope)
    return suiteFiles.read(id, toSchemaUrl(request))
  })

  registerEndpoint(
    app,
    suiteFileEndpoints.pushSuiteFile,
    async ({ params, body }, request) => {
      const suite = await suites.get(params.suite_id, request.accessScope)
      await requirePartsInScope(pool, request.accessScope, { body })
      await validateCases(suite.target_kind, body.cases)
      await validateChecks(body.checks, 'body.checks')
      const workspace = suite.workspace_id
      await requireJudges(vault, { workspace, checks: body.checks }, request.accessScope, 'body.checks')
      await requireCaseJudges(vault, { workspace, cases: body.cases }, request.accessScope)
      return suiteFiles.push(suite.id, body, request.person?.id ?? null, toSchemaUrl(request))
    },
    { bodyLimit: MAX_SUITE_FILE_BYTES },
  )
}

const toSchemaUrl = ({ server, protocol, host }: FastifyRequest): string =>
  `${server.publicOrigin.origin ?? `${protocol}://${host}`}${SCHEMA_PATH}`
