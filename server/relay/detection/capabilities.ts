import type { Pool } from 'pg'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { ResourceStore } from '../../ledger/resources.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import type { DialectDetector } from './dialect.ts'
import type { KeyHealth } from './keyHealth.ts'
import { toRefusedProblem } from './platformDetection.ts'
import { TIMEOUTS_MS, readProbeBody, type UpstreamClient } from '../upstream/upstream.ts'

export type OptionalOperation = keyof typeof contract.adjacent

/** Operations that every known platform with this read also supports. */
const IMPLIED: Partial<Record<OptionalOperation, readonly OptionalOperation[]>> = {
  listDatasets: ['readDataset', 'deleteDataset', 'retrieve'],
  readDocument: ['createByFile', 'deleteDocument', 'setDocumentStatus', 'indexingStatus'],
  listSegments: ['createSegments', 'updateSegment', 'deleteSegment', 'deleteChildChunk'],
  listConversations: ['deleteConversation', 'listMessages', 'feedback', 'suggestedQuestions', 'stopChat', 'uploadFile'],
  listAnnotations: ['updateAnnotation', 'deleteAnnotation', 'annotationJob'],
  workflowLogs: ['stopWorkflow', 'uploadFile'],
}

const MISSING_ROUTE_STATUSES = [404, 405, 501]
/** Milliseconds for which a stored capability is not written again; another server may have found otherwise since. */
const CACHE_TTL_MS = 60_000

/**
 * The optional operations that a platform supports beyond the interface, detected by harmless reads and by its everyday
 * replies. Stored with the key (`keys.offers`); a screen shows a button only for a supported operation.
 */
export class Capabilities {
  readonly #pool: Pool
  readonly #upstream: UpstreamClient
  readonly #resources: ResourceStore
  readonly #dialectDetector: DialectDetector
  readonly #keyHealth: KeyHealth
  readonly #cache = new Map<string, { at: number; found: Partial<Record<OptionalOperation, boolean>> }>()

  constructor(parts: {
    pool: Pool
    upstream: UpstreamClient
    resources: ResourceStore
    hearing: DialectDetector
    health: KeyHealth
  }) {
    this.#pool = parts.pool
    this.#upstream = parts.upstream
    this.#resources = parts.resources
    this.#dialectDetector = parts.hearing
    this.#keyHealth = parts.health
  }

  /**
   * Probes with a few reads. Where the platform gives no clear reply (an error, a broken connection) the known value stays.
   */
  async probe(credential: PlatformCredential): Promise<void> {
    const capabilities: Partial<Record<OptionalOperation, boolean>> = {}
    const probeOperation = async (
      name: OptionalOperation,
      params: Record<string, string> = {},
      query = '',
    ): Promise<unknown> => {
      const { answered, body } = await this.#sendProbe(credential, contract.adjacent[name], params, query)
      if (answered !== null) for (const one of [name, ...(IMPLIED[name] ?? [])]) capabilities[one] ||= answered
      return body
    }
    // There is no document to probe with: a platform that lists datasets counts as supporting these until a reply shows
    // otherwise.
    const assumeAvailable = () => {
      for (const name of ['readDocument', 'listSegments'] as const)
        for (const one of [name, ...(IMPLIED[name] ?? [])]) capabilities[one] = true
    }
    if (credential.kind === 'knowledge') await this.#probeKnowledge(credential, probeOperation, assumeAvailable)
    else {
      await probeOperation('info')
      if (credential.kind === 'chat') await probeOperation('listConversations', {}, '?limit=1')
      if (credential.kind === 'workflow') await probeOperation('workflowLogs', {}, '?page=1&limit=1')
      else await probeOperation('listAnnotations', {}, '?page=1&limit=1')
      if (credential.kind === 'completion' && capabilities.info !== undefined)
        for (const one of ['stopCompletion', 'feedback', 'uploadFile'] as const) capabilities[one] = capabilities.info
    }
    await this.#save(credential.key_id, capabilities)
  }

  async #probeKnowledge(
    credential: PlatformCredential,
    probeOperation: (name: OptionalOperation, params?: Record<string, string>, query?: string) => Promise<unknown>,
    assumeAvailable: () => void,
  ): Promise<void> {
    await probeOperation('listModels', { model_type: 'text-embedding' })
    const datasetList = (await probeOperation('listDatasets', {}, '?page=1&limit=100')) as {
      data?: Record<string, unknown>[]
    } | null
    if (!datasetList) return
    const dataset_id = datasetList.data?.find(({ document_count }) => Number(document_count) > 0)?.id
    const documents =
      typeof dataset_id === 'string'
        ? await this.#sendProbe(credential, contract.documents.list, { dataset_id }, '?page=1&limit=1')
        : null
    const document_id = (documents?.body as { data?: { id?: unknown }[] } | null | undefined)?.data?.[0]?.id
    if (typeof dataset_id !== 'string' || typeof document_id !== 'string') return assumeAvailable()
    await probeOperation('readDocument', { dataset_id, document_id })
    await probeOperation('listSegments', { dataset_id, document_id }, '?page=1&limit=1')
  }

  /** The result of an ordinary call of an adjacent entry. */
  recordOutcome(credential: PlatformCredential, name: string, status: number, body: unknown): void {
    const operation = name.replace('adjacent.', '') as OptionalOperation
    const entry = name.startsWith('adjacent.') ? contract.adjacent[operation] : undefined
    if (!entry) return
    const isAvailable = status < 300 ? true : isMissingRoute(entry, status, body) ? false : null
    const cached = this.#cache.get(credential.key_id)
    if (
      isAvailable === null ||
      (cached?.found[operation] === isAvailable && performance.now() - cached.at < CACHE_TTL_MS)
    )
      return
    void this.#save(credential.key_id, { [operation]: isAvailable }).catch(() => undefined)
  }

  async #sendProbe(
    credential: PlatformCredential,
    entry: Endpoint,
    params: Record<string, string>,
    query: string,
  ): Promise<{ answered: boolean | null; body: unknown }> {
    const answer = await this.#upstream.send(
      credential,
      {
        method: 'GET',
        path: fillPath(entry.path, params) + query,
        accept: 'application/json',
        timeoutMs: TIMEOUTS_MS.read,
      },
      'survey',
    )
    const body = await readProbeBody(answer)
    if (answer.status === 200) {
      this.#dialectDetector.detect(credential, answer.version, body)
      this.#keyHealth.recordSuccess(credential, answer.latency_ms)
    } else if (answer.status === 401) this.#keyHealth.recordRefusal(credential, toRefusedProblem(answer.status, body))
    if (isMissingRoute(entry, answer.status, body)) return { answered: false, body: null }
    const reply = entry.reply.safeParse(body)
    if (answer.status !== 200 || !reply.success) return { answered: null, body: null }
    this.#resources.record(
      credential.workspace_id,
      entry.resources(reply.data, { params, query: undefined, body: undefined }),
    )
    return { answered: true, body: reply.data }
  }

  async #save(key_id: string, capabilities: Partial<Record<OptionalOperation, boolean>>): Promise<void> {
    this.#cache.set(key_id, { at: performance.now(), found: { ...this.#cache.get(key_id)?.found, ...capabilities } })
    await this.#pool.query('UPDATE keys SET capabilities = capabilities || $2::jsonb WHERE id = $1', [
      key_id,
      JSON.stringify(capabilities),
    ])
  }
}

/**
 * Distinguishes an unknown route from an unknown resource: for the latter a platform replies in its own error shape, with a
 * code, while a router mentions the URL. Where the path contains no id, only the route can be missing.
 */
function isMissingRoute(entry: Endpoint, status: number, body: unknown): boolean {
  if (!MISSING_ROUTE_STATUSES.includes(status)) return false
  if (status !== 404 || !entry.path.includes('/:')) return true
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
  return typeof code !== 'string' || /\b(url|path|route)\b/i.test(String(message))
}
