import type { Pool } from 'pg'
import type { Capability } from '#contract/console/workspaces.ts'
import { acceptsKeyKind, type Endpoint, fillPath, getPathParamNames, type KeyKind } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { ProblemError } from '#contract/problem.ts'
import type { ResourceStore } from '../../ledger/resources.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { namesResource, toCapabilityState } from './capabilityState.ts'
import type { DialectDetector } from './dialect.ts'
import type { KeyHealth } from './keyHealth.ts'
import { NIL_ID, PROBE_USER, toRefusedProblem } from './platformDetection.ts'
import { TIMEOUTS_MS, readProbeBody, type UpstreamClient } from '../upstream/upstream.ts'
import { parseBySchema } from '#domain/losslessJson.ts'

/**
 * Operations whose state is inferred from a read, since a write cannot be a probe: every known platform has them
 * together. By the name of the read; names as in the ledger.
 */
const IMPLIED: Record<string, readonly string[]> = {
  'adjacent.listDatasets': ['adjacent.readDataset', 'adjacent.deleteDataset', 'adjacent.retrieve'],
  'adjacent.readDocument': [
    'adjacent.createByFile',
    'adjacent.deleteDocument',
    'adjacent.setDocumentStatus',
    'adjacent.indexingStatus',
  ],
  'adjacent.downloadDocument': ['adjacent.downloadDocuments', 'adjacent.updateDocument'],
  'adjacent.listTags': [
    'adjacent.createTag',
    'adjacent.updateTag',
    'adjacent.deleteTag',
    'adjacent.bindTags',
    'adjacent.unbindTags',
    'adjacent.readDatasetTags',
  ],
  'adjacent.listMetadata': [
    'adjacent.createMetadata',
    'adjacent.updateMetadata',
    'adjacent.deleteMetadata',
    'adjacent.listBuiltInMetadata',
    'adjacent.setBuiltInMetadata',
    'adjacent.updateDocumentMetadata',
  ],
  'adjacent.listDatasourcePlugins': [
    'adjacent.uploadPipelineFile',
    'adjacent.runDatasourceNode',
    'adjacent.runPipeline',
  ],
  'adjacent.listSegments': [
    'adjacent.createSegments',
    'adjacent.updateSegment',
    'adjacent.deleteSegment',
    'adjacent.deleteChildChunk',
  ],
  'adjacent.listConversations': [
    'adjacent.deleteConversation',
    'adjacent.listMessages',
    'adjacent.feedback',
    'adjacent.suggestedQuestions',
    'adjacent.stopChat',
    'adjacent.uploadFile',
  ],
  'adjacent.listAnnotations': [
    'adjacent.updateAnnotation',
    'adjacent.deleteAnnotation',
    'adjacent.annotationJob',
    'annotations.create',
    'annotations.reply',
  ],
  'adjacent.workflowLogs': ['adjacent.stopWorkflow', 'adjacent.runVersion'],
}
/** For an app without a list to infer from: what a platform with `/info` also has. */
const IMPLIED_BY_INFO: Partial<Record<KeyKind, readonly string[]>> = {
  completion: ['adjacent.stopCompletion', 'adjacent.feedback', 'adjacent.uploadFile'],
  workflow: ['adjacent.uploadFile'],
}

/** A read without ids for each operation that the kind can call. A chatflow's key, which is a chat key, has runs and logs. */
const APP_PROBES: [name: string, query: string, kinds: readonly KeyKind[]][] = [
  ['adjacent.info', '', ['chat', 'completion', 'workflow']],
  ['workflows.parameters', '', ['chat', 'completion', 'workflow']],
  ['adjacent.listConversations', `?user=${PROBE_USER}&limit=1`, ['chat']],
  ['adjacent.workflowLogs', '?page=1&limit=1', ['chat', 'workflow']],
  ['adjacent.listAnnotations', '?page=1&limit=1', ['chat', 'completion', 'workflow']],
  ['adjacent.listFeedbacks', '?page=1&limit=1', ['chat', 'completion', 'workflow']],
  ['adjacent.readSite', '', ['chat', 'completion', 'workflow']],
  ['adjacent.readMeta', '', ['chat', 'completion', 'workflow']],
]

/**
 * Operations on one record, and writes: they are probed with ids that do not exist. A platform that has the operation
 * returns its own not-found error, or refuses the probe's method. `missing` matches its code and message.
 */
const ROUTE_PROBES: RouteProbe[] = [
  {
    name: 'adjacent.listConversationVariables',
    query: '?limit=1',
    missing: /\bconversation not\b/i,
    modes: ['chat', 'agent-chat', 'advanced-chat'],
  },
  { name: 'adjacent.updateConversationVariable', modes: ['advanced-chat'] },
  {
    name: 'adjacent.runEvents',
    query: `?user=${PROBE_USER}`,
    missing: /\bworkflow run not found/i,
    modes: ['workflow', 'advanced-chat'],
  },
  { name: 'adjacent.readForm', missing: /\bform not found/i, modes: ['workflow', 'advanced-chat'] },
  { name: 'adjacent.runVersion', modes: ['workflow'] },
  { name: 'adjacent.readEndUser', missing: /\bend[_ ]?user[_ ]not[_ ]found/i },
  { name: 'adjacent.previewFile', missing: /\bfile[_ ]not[_ ]found/i },
]

interface RouteProbe {
  name: string
  query?: string
  missing?: RegExp
  /** The modes of `/info` whose applications have the operation; default: all. */
  modes?: readonly string[]
}

/**
 * Milliseconds for which a stored capability is not written again; another server may have found a different one
 * since.
 */
const CACHE_TTL_MS = 60_000

/**
 * Minimum milliseconds between two probes of a key because of another release: during a rolling upgrade replies of
 * both releases alternate.
 */
const RELEASE_PROBE_INTERVAL_MS = 600_000

type CapabilityMap = Record<string, Capability>

/** The path parameters of a probe: ids that do not exist, and a form token that no platform creates. */
const PROBE_PARAMS: Record<string, string> = { form_token: '0000000000000000000000' }

/** Settings of `/parameters` that show whether an application supports speech. */
const SPEECH_SETTINGS = { audioToText: 'speech_to_text', textToAudio: 'text_to_speech' } as const

/**
 * What a platform offers each key, detected by harmless reads and by its ordinary replies. Stored with the key; a
 * screen shows a button only for an operation that is offered.
 */
export class Capabilities {
  readonly #pool: Pool
  readonly #upstream: UpstreamClient
  readonly #resources: ResourceStore
  readonly #dialectDetector: DialectDetector
  readonly #keyHealth: KeyHealth
  readonly #cache = new Map<string, { at: number; found: CapabilityMap }>()
  /** By key: the last seen release (null after a failure), and when the key was last probed because of it. */
  readonly #releases = new Map<string, { version: string | null; probedAt: number | null }>()

  constructor(deps: {
    pool: Pool
    upstream: UpstreamClient
    resources: ResourceStore
    dialectDetector: DialectDetector
    keyHealth: KeyHealth
  }) {
    this.#pool = deps.pool
    this.#upstream = deps.upstream
    this.#resources = deps.resources
    this.#dialectDetector = deps.dialectDetector
    this.#keyHealth = deps.keyHealth
  }

  /**
   * Probes with a few reads. Without a clear reply the known state stays.
   * @throws ProblemError where the platform is unreachable; the health of the key then shows it
   */
  async probe(credential: PlatformCredential): Promise<void> {
    const found: CapabilityMap = {}
    try {
      if (credential.kind === 'knowledge') await this.#probeKnowledge(credential, found)
      else await this.#probeApp(credential, found)
    } catch (error) {
      if (error instanceof ProblemError)
        await this.#keyHealth.recordProblem(credential, error.problem, { isRead: true, isOwnKind: false })
      throw error
    } finally {
      await this.#save(credential.key_id, found)
    }
  }

  async #probeKnowledge(credential: PlatformCredential, found: CapabilityMap): Promise<void> {
    await this.#probeOperation(credential, found, 'adjacent.listModels', { model_type: 'text-embedding' })
    const datasets = await this.#probeOperation(credential, found, 'adjacent.listDatasets', {}, '?page=1&limit=100')
    if (found['listDatasets']?.state !== 'offered') return
    const rows = listRows(datasets)
    await this.#probeRoute(credential, found, { name: 'adjacent.dryRunRetrieval' })
    await this.#probeRoute(credential, found, { name: 'adjacent.readFileAgain' })
    await this.#probeOperation(credential, found, 'adjacent.listTags')
    await this.#probeMetadata(credential, found, rows[0]?.id)
    // Other datasets refuse it; if the route is missing, a dataset that does not exist shows it, too.
    const pipeline = rows.find(({ pipeline_id }) => Boolean(pipeline_id))?.id
    await this.#probeOperation(credential, found, 'adjacent.listDatasourcePlugins', {
      dataset_id: typeof pipeline === 'string' ? pipeline : NIL_ID,
    })
    const dataset_id = rows.find(({ document_count }) => Number(document_count) > 0)?.id
    const documents =
      typeof dataset_id === 'string'
        ? await this.#probeOperation(credential, found, 'documents.list', { dataset_id }, '?page=1&limit=1')
        : null
    const documentRows = listRows(documents)
    const document_id = documentRows[0]?.id
    if (typeof dataset_id !== 'string' || typeof document_id !== 'string') {
      // There is no document to probe with: a platform that lists datasets counts as offering these until a reply
      // shows otherwise.
      const { version } = found['listDatasets']
      const assumed = (['adjacent.readDocument', 'adjacent.listSegments'] as const).flatMap((one) => [
        one,
        ...(IMPLIED[one] ?? []),
      ])
      for (const name of assumed)
        found[toShortName(name)] ??= toCapability('offered', { assumed_from: 'listDatasets', version })
      return
    }
    await this.#probeOperation(credential, found, 'adjacent.readDocument', { dataset_id, document_id })
    // Documents from other sources have no file, which says nothing about the operation.
    if (documentRows[0]?.data_source_type === 'upload_file')
      await this.#probeOperation(credential, found, 'adjacent.downloadDocument', { dataset_id, document_id })
    await this.#probeOperation(
      credential,
      found,
      'adjacent.listSegments',
      { dataset_id, document_id },
      '?page=1&limit=1',
    )
  }

  async #probeApp(credential: PlatformCredential, found: CapabilityMap): Promise<void> {
    const { kind } = credential
    const bodies = new Map<string, unknown>()
    for (const [name, query, kinds] of APP_PROBES)
      if (kinds.includes(kind)) bodies.set(name, await this.#probeOperation(credential, found, name, {}, query))
    const { mode } = (bodies.get('adjacent.info') ?? {}) as { mode?: unknown }
    recordSpeech(found, bodies.get('workflows.parameters'))
    // A platform without `/info` is not probed for newer operations.
    if (found['info']?.state !== 'offered') return
    const probes = ROUTE_PROBES.filter(({ name }) => acceptsKeyKind(kind, getEntry(name).key))
    await Promise.all(
      probes.map(async (probe) => {
        const isOfMode = !probe.modes || typeof mode !== 'string' || probe.modes.includes(mode)
        if (isOfMode) await this.#probeRoute(credential, found, probe)
        else
          found[toShortName(probe.name)] = toCapability('refused', {
            message: `An application of the mode ${mode} does not offer this operation.`,
            assumed_from: 'info',
            version: found['info']?.version ?? null,
          })
      }),
    )
    const { readForm } = found
    if (readForm) found['submitForm'] = { ...readForm, assumed_from: 'readForm' }
  }

  /**
   * Sends a GET with ids that do not exist to the path of an operation. It has no effect: a platform with the
   * operation returns its not-found error, or refuses the method; one without it does not know the path.
   */
  async #probeRoute(
    credential: PlatformCredential,
    found: CapabilityMap,
    { name, query = '', missing }: RouteProbe,
  ): Promise<void> {
    const entry = getEntry(name)
    const names = getPathParamNames(entry.path)
    const params = Object.fromEntries(names.map((param) => [param, PROBE_PARAMS[param] ?? NIL_ID]))
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
    const { status, version } = answer
    const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
    // Upstream appends paths that look like the requested one, even if only the record is missing.
    const [ownWords = ''] = `${code} ${message}`.split(' You have requested this URI')
    const isRecordMissing = status === 404 && typeof code === 'string' && missing?.test(ownWords) === true
    const isOtherMethod = status === 405 && entry.method !== 'GET'
    const outcome =
      isRecordMissing || isOtherMethod
        ? { state: 'offered' as const, message: null }
        : toCapabilityState({ status, body, namesResource: false, isProbe: true })
    if (outcome) found[toShortName(name)] = toCapability(outcome.state, { message: outcome.message, status, version })
  }

  /** Without a dataset to read from, metadata counts as offered where tags are, until a reply shows otherwise. */
  async #probeMetadata(credential: PlatformCredential, found: CapabilityMap, dataset_id: unknown): Promise<void> {
    if (typeof dataset_id === 'string') {
      await this.#probeOperation(credential, found, 'adjacent.listMetadata', { dataset_id })
      return
    }
    const tags = found['listTags']
    if (tags?.state !== 'offered') return
    for (const name of ['adjacent.listMetadata', ...(IMPLIED['adjacent.listMetadata'] ?? [])])
      found[toShortName(name)] = toCapability('offered', { assumed_from: 'listTags', version: tags.version })
  }

  /** Sends one read and notes its state and those that it implies. @returns the reply's body after a success */
  async #probeOperation(
    credential: PlatformCredential,
    found: CapabilityMap,
    name: string,
    params: Record<string, string> = {},
    query = '',
  ): Promise<unknown> {
    const entry = getEntry(name)
    const path = fillPath(entry.path, params) + query
    const answer = await this.#upstream.send(
      credential,
      { method: 'GET', path, accept: 'application/json', timeoutMs: TIMEOUTS_MS.read },
      'survey',
    )
    const body = await readProbeBody(answer)
    const { status, version } = answer
    if (status === 200) {
      this.#dialectDetector.detect(credential, version, body)
      await this.#keyHealth.recordSuccess(credential, answer.latency_ms, entry.key === credential.kind)
    } else {
      const isOwnKind = entry.key === credential.kind
      await this.#keyHealth.recordProblem(credential, toRefusedProblem(status, body), { isRead: true, isOwnKind })
    }
    const outcome = toCapabilityState({
      status,
      body,
      namesResource: namesResource(params, undefined, undefined),
      isProbe: true,
    })
    const reply = parseBySchema(entry.reply, body)
    if (!outcome || (outcome.state === 'offered' && !reply.success)) return null
    const { state, message } = outcome
    found[toShortName(name)] = toCapability(state, { message, status, version })
    const implied = [
      ...(IMPLIED[name] ?? []),
      ...(name === 'adjacent.info' ? (IMPLIED_BY_INFO[credential.kind] ?? []) : []),
    ]
    for (const other of implied) {
      // The interface has its own operations: a missing list says nothing about them.
      const isTelling = other.startsWith('adjacent.') || state !== 'missing'
      if (isTelling && acceptsKeyKind(credential.kind, getEntry(other).key))
        found[toShortName(other)] ??= toCapability(state, { message, status, version, assumed_from: toShortName(name) })
    }
    if (state !== 'offered' || !reply.success) return null
    this.#resources.record(
      credential.workspace_id,
      entry.resources(reply.data, { params, query: undefined, body: undefined }),
    )
    return reply.data
  }

  recordOutcome(
    credential: PlatformCredential,
    name: string,
    request: { params: Record<string, string>; query: unknown; body: unknown },
    reply: { status: number; body: unknown; version: string | null },
  ): void {
    const { status, body, version } = reply
    if (version !== null) this.#followRelease(credential, version)
    const isNamed = namesResource(request.params, request.query, request.body)
    const outcome = toCapabilityState({ status, body, namesResource: isNamed, isProbe: false })
    if (!outcome) return
    const operation = toShortName(name)
    const cached = this.#cache.get(credential.key_id)
    if (cached?.found[operation]?.state === outcome.state && performance.now() - cached.at < CACHE_TTL_MS) return
    const capability = toCapability(outcome.state, { message: outcome.message, status, version })
    void this.#save(credential.key_id, { [operation]: capability }).catch(() => undefined)
  }

  /** Probes a key again when its platform replies as another release than the one that its last probe found. */
  #followRelease(credential: PlatformCredential, version: string): void {
    const last = this.#releases.get(credential.key_id)
    if (last?.version === version) return
    const probedAt = last?.probedAt ?? null
    if (probedAt !== null && performance.now() - probedAt < RELEASE_PROBE_INTERVAL_MS) return
    this.#releases.set(credential.key_id, { version, probedAt })
    // Problems of the platform are in the health of the key; the probe is repeated after the interval.
    void this.#probeOtherRelease(credential, version).catch(() =>
      this.#releases.set(credential.key_id, { version: null, probedAt: performance.now() }),
    )
  }

  async #probeOtherRelease(credential: PlatformCredential, version: string): Promise<void> {
    const known = (await this.#readCapabilities(credential.key_id))[getFirstProbe(credential.kind)]?.version ?? null
    if (known === null || known === version) return
    this.#releases.set(credential.key_id, { version, probedAt: performance.now() })
    await this.probe(credential)
  }

  async #readCapabilities(key_id: string): Promise<CapabilityMap> {
    const { rows } = await this.#pool.query<{ capabilities: CapabilityMap }>(
      'SELECT capabilities FROM keys WHERE id = $1',
      [key_id],
    )
    return rows[0]?.capabilities ?? {}
  }

  /** Observed states are stored; an inferred one is not, if the operation itself was observed on the same release. */
  async #save(key_id: string, found: CapabilityMap): Promise<void> {
    const known = await this.#readCapabilities(key_id)
    const changes = Object.fromEntries(
      Object.entries(found).filter(([name, capability]) => !isKnownBetter(known[name], capability)),
    )
    this.#cache.set(key_id, { at: performance.now(), found: { ...known, ...changes } })
    await this.#pool.query('UPDATE keys SET capabilities = capabilities || $2::jsonb WHERE id = $1', [
      key_id,
      JSON.stringify(changes),
    ])
  }
}

/** Speech depends on the application's settings, so these operations are not probed. */
function recordSpeech(found: CapabilityMap, parameters: unknown): void {
  for (const [operation, setting] of Object.entries(SPEECH_SETTINGS)) {
    const { enabled } = ((parameters ?? {}) as Record<string, { enabled?: unknown } | null | undefined>)[setting] ?? {}
    if (typeof enabled !== 'boolean') continue
    const message = enabled ? null : `The application has ${setting} disabled.`
    const { version = null } = found['workflows.parameters'] ?? {}
    found[operation] = toCapability(enabled ? 'offered' : 'refused', {
      message,
      assumed_from: 'workflows.parameters',
      version,
    })
  }
}

/** The operation that every probe of a key reads: its version is that of the last probe. */
const getFirstProbe = (kind: KeyKind): string => (kind === 'knowledge' ? 'listDatasets' : 'info')

const isKnownBetter = (known: Capability | undefined, next: Capability): boolean =>
  next.assumed_from !== null &&
  known !== undefined &&
  known.assumed_from === null &&
  (known.state === 'offered' || (known.version !== null && known.version === next.version))

const toCapability = (state: Capability['state'], given: Partial<Omit<Capability, 'state'>>): Capability => ({
  state,
  message: given.message ?? null,
  status: given.status ?? null,
  assumed_from: given.assumed_from ?? null,
  version: given.version ?? null,
})

/** The name of a capability: optional operations without their namespace. */
const toShortName = (name: string): string => name.replace(/^adjacent\./, '')

function getEntry(name: string): Endpoint {
  const entry = platformEntries.get(name)
  if (!entry) throw new Error(`no operation is called ${name}`)
  return entry
}

function listRows(body: unknown): Record<string, unknown>[] {
  const { data } = (body ?? {}) as { data?: unknown }
  return Array.isArray(data) ? (data as Record<string, unknown>[]) : []
}
