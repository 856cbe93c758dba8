import { type Endpoint, fillPath, type KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { DetectedKey } from '#contract/console/admin/workspaceAdmin.ts'
import { correctBaseUrl } from '#domain/platformKeys/baseUrl.ts'
import { readPlatformError } from '#domain/platformErrors/readPlatformError.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { toBaseUrl, type EgressPolicy } from '../../vault/egressPolicy.ts'
import { TIMEOUTS_MS, readProbeBody, type UpstreamClient } from '../upstream/upstream.ts'

/** The end user of a probe; it has no records. */
export const PROBE_USER = 'loupe-probe'
/** A nil id: probing it changes nothing, and the error may still reveal whether the key is accepted. */
export const NIL_ID = '00000000-0000-4000-8000-000000000000'
/** The probe's key if none was given: a platform that knows the path replies that it does not know the key. */
const PLACEHOLDER_KEY = 'loupe-asks-who-is-there'

interface ProbeReply {
  status: number
  body: unknown
  code: string | null
  version: string | null
  latency_ms: number
  problem: Problem | null
}
type SendProbe = (entry: Endpoint, params?: Record<string, string>, query?: string) => Promise<ProbeReply>

/** Detects the base URL of a platform and the kind of its keys, by reads only. */
export async function detectPlatform(
  given: { base_url: string; keys: readonly string[] },
  { upstream, check }: { upstream: UpstreamClient; check: EgressPolicy['requireAllowedUrl'] },
) {
  const found = await detectBaseUrl(given.base_url, check, (base_url) =>
    createProbe(upstream, { base_url, secret: given.keys[0] ?? PLACEHOLDER_KEY })(contract.workflows.parameters),
  )
  if (found.problem) return { ...found, keys: [] }
  const keys: DetectedKey[] = []
  for (const secret of given.keys)
    keys.push((await detectKeyKind(createProbe(upstream, { base_url: found.base_url, secret }))).found)
  return { ...found, keys }
}

/** The first URL under which a platform answers: as given, with or without `/v1`, and likely corrections. */
async function detectBaseUrl(
  input: string,
  check: EgressPolicy['requireAllowedUrl'],
  ask: (base_url: string) => Promise<ProbeReply>,
): Promise<{ base_url: string; version: string | null; problem: Problem | null }> {
  const corrected = correctBaseUrl(input)
  // Input that cannot be a base URL is not probed.
  const isUsable = corrected === null || (/^https?:/i.test(input) && !/[?#]/.test(input))
  const given = [...(isUsable ? [input] : []), ...(corrected === null ? [] : [corrected])].map((one) =>
    toBaseUrl(one, check),
  )
  const candidates = new Set(given.flatMap((one) => [one, one.endsWith('/v1') ? one.slice(0, -3) : `${one}/v1`]))
  let first: { base_url: string; reply: ProbeReply } | null = null
  for (const base_url of candidates) {
    const reply = await ask(base_url)
    if (isPlatform(reply)) return { base_url, version: reply.version, problem: null }
    first ??= { base_url, reply }
    // Every candidate has the same host.
    if (reply.problem?.kind === 'unreachable') break
  }
  if (!first) throw new Error('no URL to ask')
  return { base_url: first.base_url, version: null, problem: toNotPlatformProblem(first.reply) }
}

const createProbe =
  (upstream: UpstreamClient, given: Pick<PlatformCredential, 'base_url' | 'secret'>): SendProbe =>
  async (entry, params = {}, query = '') => {
    const credential: PlatformCredential = { ...ANONYMOUS_CREDENTIAL, mode: null, ...given }
    try {
      const path = fillPath(entry.path, params) + query
      const outgoing = { method: 'GET', path, accept: 'application/json', timeoutMs: TIMEOUTS_MS.read } as const
      const answer = await upstream.send(credential, outgoing, 'inquiry')
      const body = await readProbeBody(answer)
      const code = (body as { code?: unknown } | null | undefined)?.code
      const { status, version, latency_ms } = answer
      return { status, body, code: typeof code === 'string' ? code : null, version, latency_ms, problem: null }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      return { status: 0, body: null, code: null, version: null, latency_ms: 0, problem: error.problem }
    }
  }

const ANONYMOUS_CREDENTIAL = { key_id: '', kind: 'chat', label: '', hint: null, workspace_id: '', dialect: {} } as const

/** A platform replies to this path with its own JSON: parameters, or an error. */
const isPlatform = ({ status, body, code }: ProbeReply): boolean =>
  (status === 200 && typeof body === 'object' && body !== null) || ([400, 401, 403].includes(status) && code !== null)

function toNotPlatformProblem({ problem, status, body }: ProbeReply): Problem {
  if (problem) return problem
  const message = `must be where a platform answers: it says ${status}${typeof body === 'object' ? '' : ', and not in JSON'}`
  return { kind: 'invalid', status: 400, message: `base_url ${message}`, fields: [{ path: 'body.base_url', message }] }
}

const KIND_BY_MODE: Record<string, KeyKind> = {
  chat: 'chat',
  'agent-chat': 'chat',
  'advanced-chat': 'chat',
  agent: 'chat',
  workflow: 'workflow',
  completion: 'completion',
}
const APP_KINDS = ['chat', 'workflow', 'completion'] as const

/** A key to be stored. `dataset_id` is a known dataset of the platform; `replaces` is an existing key. */
export interface KeyToVerify {
  base_url: string
  key: string
  kind: KeyKind
  dataset_id: string | null
  replaces: boolean
}
export interface VerifiedKey {
  mode: string | null
  /** Whether the platform's replies prove the kind; otherwise a person chose it, and the first success proves it. */
  isConfirmed: boolean
}

/**
 * Rejects a key that the platform does not accept, or accepts as another kind. If the platform cannot be reached, a
 * first key is stored unverified, but a replacement is not, since the old key may be good.
 * @throws ProblemError 400 at the key, or why the platform could not be reached
 */
export async function verifyKey(given: KeyToVerify, upstream: UpstreamClient): Promise<VerifiedKey> {
  const { found, isAccepted } = await detectKeyKind(
    createProbe(upstream, { base_url: given.base_url, secret: given.key }),
    given.dataset_id ?? undefined,
  )
  const { problem, mode, kind, may_be } = found
  if (problem && isAccepted === null) {
    if (!given.replaces) return { mode: null, isConfirmed: false }
    const message = `${problem.message} The new key could not be tried, so the current key stays.`
    throw new ProblemError({ ...problem, message })
  }
  if (problem) throw toKeyError(`must be a key that the platform accepts; it answers “${problem.message}”`)
  if (!may_be.includes(given.kind))
    throw toKeyError(`must be a key of the kind ${given.kind}: the platform answers it as ${may_be.join(' or ')}`)
  return { mode, isConfirmed: kind === given.kind }
}

function toKeyError(message: string): ProblemError {
  const fields = [{ path: 'body.key', message }]
  return new ProblemError({ kind: 'invalid', status: 400, message: `The key ${message}.`, fields })
}

/** The kind of a stored key as proven by the platform's replies; null if they prove none. */
export async function detectStoredKeyKind(
  credential: PlatformCredential,
  upstream: UpstreamClient,
): Promise<Pick<DetectedKey, 'kind' | 'mode' | 'problem'>> {
  return (await detectKeyKind(createProbe(upstream, credential))).found
}

interface KeyKindDetection {
  found: DetectedKey
  /** Null if the platform could not be reached. */
  isAccepted: boolean | null
}

/**
 * Detects what a key is for, by reads. `/info` names the mode of an app; `GET /datasets` accepts only a knowledge
 * key. A 404 proves nothing: released platforms look for the dataset before the key. Where a platform has neither
 * read, the kind is unknown, and the possible ones are listed.
 */
async function detectKeyKind(sendProbe: SendProbe, dataset_id = NIL_ID): Promise<KeyKindDetection> {
  const info = await sendProbe(contract.adjacent.info)
  const found: DetectedKey = {
    kind: null,
    may_be: [],
    name: null,
    mode: null,
    latency_ms: info.latency_ms,
    problem: info.problem,
  }
  if (info.problem) return { found, isAccepted: null }
  const { mode, name } = ((info.status === 200 && info.body) || {}) as { mode?: unknown; name?: unknown }
  if (typeof name === 'string') found.name = name
  if (typeof mode === 'string') found.mode = mode
  const kindFromMode = KIND_BY_MODE[String(mode)]
  if (kindFromMode) return { found: { ...found, kind: kindFromMode, may_be: [kindFromMode] }, isAccepted: true }

  const parameters = await sendProbe(contract.workflows.parameters)
  const datasets = await sendProbe(contract.adjacent.listDatasets, {}, '?page=1&limit=1')
  const app = toVerdict(parameters)
  let knowledge: Verdict = datasets.status === 200 && !isListReply(datasets.body) ? 'untold' : toVerdict(datasets)
  let problem = parameters.problem ?? datasets.problem
  if (knowledge === 'untold' && app !== 'accepted' && !problem) {
    const documents = await sendProbe(contract.documents.list, { dataset_id }, '?page=1&limit=1')
    problem = documents.problem
    // An open platform answers any id, so only a known dataset is conclusive.
    if (dataset_id !== NIL_ID || documents.status !== 200) knowledge = toVerdict(documents)
  }
  if (problem) return { found: { ...found, problem }, isAccepted: null }
  if (app === 'refused' && knowledge === 'refused')
    return { found: { ...found, problem: toRefusedProblem(parameters.status, parameters.body) }, isAccepted: false }
  const may_be = await listPossibleAppKinds(app, knowledge, sendProbe)
  const isKnowledgePossible = app === 'accepted' ? knowledge === 'accepted' : knowledge !== 'refused'
  if (isKnowledgePossible) may_be.push('knowledge')
  const isProved = app === 'accepted' || knowledge === 'accepted'
  const kind = isProved && may_be.length === 1 ? (may_be[0] ?? null) : null
  return { found: { ...found, kind, may_be }, isAccepted: true }
}

type Verdict = 'accepted' | 'refused' | 'untold'

/**
 * Whether a platform accepted the key. An error of the app behind it counts as accepted; a missing route or resource
 * proves nothing.
 */
function toVerdict({ status, code }: ProbeReply): Verdict {
  if (status === 401 || status === 403) return 'refused'
  return status === 200 || (status === 400 && code !== null) ? 'accepted' : 'untold'
}

/** The kinds of app that the platform's replies do not rule out, most likely first. */
async function listPossibleAppKinds(app: Verdict, knowledge: Verdict, sendProbe: SendProbe): Promise<KeyKind[]> {
  if (app === 'refused') return []
  // A success proves nothing on a platform that accepts every key everywhere.
  if (app === 'untold' || knowledge === 'accepted') return [...APP_KINDS]
  const run = await sendProbe(contract.workflows.readRun, { workflow_run_id: NIL_ID })
  const conversations = await sendProbe(contract.adjacent.listConversations, {}, `?user=${PROBE_USER}&limit=1`)
  const listsConversations = conversations.status === 200 && isListReply(conversations.body)
  return APP_KINDS.filter(
    (kind) =>
      !(kind === 'workflow' && run.code === 'not_workflow_app') &&
      !(kind === 'chat' && conversations.code === 'not_chat_app') &&
      !(kind !== 'chat' && listsConversations),
  )
}

const isListReply = (body: unknown): boolean => Array.isArray((body as { data?: unknown } | null | undefined)?.data)

export const toRefusedProblem = (status: number, body: unknown): Problem => ({
  kind: 'refused',
  ...readPlatformError(status, body),
  upstream: { status, body },
})
