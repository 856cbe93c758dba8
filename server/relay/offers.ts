import type { Pool } from 'pg'
import { type Endpoint, fill } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Things } from '../ledger/things.ts'
import type { Credential } from '../vault/vault.ts'
import type { Hearing } from './dialect.ts'
import type { KeyHealth } from './health.ts'
import { refusedBy } from './inquiry.ts'
import { LIMITS, readProbe, type Upstream } from './upstream.ts'

export type Adjacent = keyof typeof contract.adjacent

/** A platform that answers the read has been seen, wherever it was looked at, to have these beside it. */
const BESIDE: Partial<Record<Adjacent, readonly Adjacent[]>> = {
  listDatasets: ['readDataset', 'deleteDataset', 'retrieve'],
  readDocument: ['createByFile', 'deleteDocument', 'setDocumentStatus', 'indexingStatus'],
  listSegments: ['createSegments', 'updateSegment', 'deleteSegment', 'deleteChildChunk'],
  listConversations: ['deleteConversation', 'listMessages', 'feedback', 'suggestedQuestions', 'stopChat', 'uploadFile'],
  listAnnotations: ['updateAnnotation', 'deleteAnnotation', 'annotationJob'],
  workflowLogs: ['stopWorkflow', 'uploadFile'],
}

const GONE = [404, 405, 501]
/** Milliseconds for which what was written down is not written again; another server may have found otherwise since. */
const BELIEVED = 60_000

/**
 * What a platform offers beyond the interface, found out by harmless reads and by what it answers day by day. Kept with
 * the key (`keys.offers`); a screen draws a button only for what is there.
 */
export class Offers {
  readonly #pool: Pool
  readonly #upstream: Upstream
  readonly #things: Things
  readonly #hearing: Hearing
  readonly #health: KeyHealth
  readonly #known = new Map<string, { at: number; found: Partial<Record<Adjacent, boolean>> }>()

  constructor(parts: { pool: Pool; upstream: Upstream; things: Things; hearing: Hearing; health: KeyHealth }) {
    this.#pool = parts.pool
    this.#upstream = parts.upstream
    this.#things = parts.things
    this.#hearing = parts.hearing
    this.#health = parts.health
  }

  /** Asks with a few reads. What the platform does not answer clearly (a refusal, a broken line) stays as it was known. */
  async survey(credential: Credential): Promise<void> {
    const found: Partial<Record<Adjacent, boolean>> = {}
    const probe = async (name: Adjacent, params: Record<string, string> = {}, query = ''): Promise<unknown> => {
      const { answered, body } = await this.#read(credential, contract.adjacent[name], params, query)
      if (answered !== null) for (const one of [name, ...(BESIDE[name] ?? [])]) found[one] ||= answered
      return body
    }
    // Without a document to look at: who lists datasets has these, until one of them answers otherwise.
    const assume = () => {
      for (const name of ['readDocument', 'listSegments'] as const)
        for (const one of [name, ...(BESIDE[name] ?? [])]) found[one] = true
    }
    if (credential.kind === 'knowledge') await this.#surveyKnowledge(credential, probe, assume)
    else {
      await probe('info')
      if (credential.kind === 'chat') await probe('listConversations', {}, '?limit=1')
      if (credential.kind === 'workflow') await probe('workflowLogs', {}, '?page=1&limit=1')
      else await probe('listAnnotations', {}, '?page=1&limit=1')
      if (credential.kind === 'completion' && found.info !== undefined)
        for (const one of ['stopCompletion', 'feedback', 'uploadFile'] as const) found[one] = found.info
    }
    await this.#keep(credential.key_id, found)
  }

  async #surveyKnowledge(
    credential: Credential,
    probe: (name: Adjacent, params?: Record<string, string>, query?: string) => Promise<unknown>,
    assume: () => void,
  ): Promise<void> {
    await probe('listModels', { model_type: 'text-embedding' })
    const listed = (await probe('listDatasets', {}, '?page=1&limit=100')) as { data?: Record<string, unknown>[] } | null
    if (!listed) return
    const dataset_id = listed.data?.find(({ document_count }) => Number(document_count) > 0)?.id
    const documents =
      typeof dataset_id === 'string'
        ? await this.#read(credential, contract.documents.list, { dataset_id }, '?page=1&limit=1')
        : null
    const document_id = (documents?.body as { data?: { id?: unknown }[] } | null | undefined)?.data?.[0]?.id
    if (typeof dataset_id !== 'string' || typeof document_id !== 'string') return assume()
    await probe('readDocument', { dataset_id, document_id })
    await probe('listSegments', { dataset_id, document_id }, '?page=1&limit=1')
  }

  /** What an ordinary call of an adjacent entry came to. */
  learn(credential: Credential, name: string, status: number, body: unknown): void {
    const one = name.replace('adjacent.', '') as Adjacent
    const entry = name.startsWith('adjacent.') ? contract.adjacent[one] : undefined
    if (!entry) return
    const answered = status < 300 ? true : isMissingRoute(entry, status, body) ? false : null
    const known = this.#known.get(credential.key_id)
    if (answered === null || (known?.found[one] === answered && performance.now() - known.at < BELIEVED)) return
    void this.#keep(credential.key_id, { [one]: answered }).catch(() => undefined)
  }

  async #read(
    credential: Credential,
    entry: Endpoint,
    params: Record<string, string>,
    query: string,
  ): Promise<{ answered: boolean | null; body: unknown }> {
    const answer = await this.#upstream.send(
      credential,
      { method: 'GET', path: fill(entry.path, params) + query, accept: 'application/json', patience: LIMITS.read },
      'survey',
    )
    const body = await readProbe(answer)
    if (answer.status === 200) {
      this.#hearing.hear(credential, answer.version, body)
      this.#health.works(credential, answer.latency_ms)
    } else if (answer.status === 401) this.#health.refused(credential, refusedBy(answer.status, body))
    if (isMissingRoute(entry, answer.status, body)) return { answered: false, body: null }
    const reply = entry.reply.safeParse(body)
    if (answer.status !== 200 || !reply.success) return { answered: null, body: null }
    this.#things.see(credential.workspace_id, entry.names(reply.data, { params, query: undefined, body: undefined }))
    return { answered: true, body: reply.data }
  }

  async #keep(key_id: string, found: Partial<Record<Adjacent, boolean>>): Promise<void> {
    this.#known.set(key_id, { at: performance.now(), found: { ...this.#known.get(key_id)?.found, ...found } })
    await this.#pool.query('UPDATE keys SET offers = offers || $2::jsonb WHERE id = $1', [
      key_id,
      JSON.stringify(found),
    ])
  }
}

/**
 * Whether there is no such route, as against no such thing: a platform says the latter in its own error shape, with a
 * code, while a router speaks of the URL. Where the path holds no id there is nothing else that could be missing.
 */
function isMissingRoute(entry: Endpoint, status: number, body: unknown): boolean {
  if (!GONE.includes(status)) return false
  if (status !== 404 || !entry.path.includes('/:')) return true
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
  return typeof code !== 'string' || /\b(url|path|route)\b/i.test(String(message))
}
