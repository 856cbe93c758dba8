import type { KeyFound } from '#contract/console/consoleEndpoints.ts'
import { type Endpoint, fillPath, type KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { toBaseUrl, type EgressPolicy } from '../../vault/egressPolicy.ts'
import { TIMEOUTS_MS, readProbeBody, type UpstreamClient } from '../upstream/upstream.ts'

/** A nil id: probing it changes nothing, and the error still reveals whether the key is accepted. */
const NIL_ID = '00000000-0000-4000-8000-000000000000'
/** The probe's key when none was given: a platform that knows the path replies that it does not know the key. */
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
  const enteredUrl = toBaseUrl(given.base_url, check)
  const alternativeUrl = enteredUrl.endsWith('/v1') ? enteredUrl.slice(0, -3) : `${enteredUrl}/v1`
  const createProbeAt = (base_url: string, secret: string): SendProbe => createProbe(upstream, base_url, secret)
  const secret = given.keys[0] ?? PLACEHOLDER_KEY
  const { parameters } = contract.workflows
  const first = await createProbeAt(enteredUrl, secret)(parameters)
  const second =
    isPlatform(first) || first.problem?.kind === 'unreachable'
      ? null
      : await createProbeAt(alternativeUrl, secret)(parameters)
  const isAlternative = second !== null && isPlatform(second)
  const base_url = isAlternative ? alternativeUrl : enteredUrl
  const reply = isAlternative ? second : first
  if (!isPlatform(reply)) return { base_url: enteredUrl, version: null, problem: toNotPlatformProblem(reply), keys: [] }
  const keys: KeyFound[] = []
  for (const key of given.keys) keys.push((await detectKeyKind(createProbeAt(base_url, key))).found)
  return { base_url, version: reply.version, problem: null, keys }
}

const createProbe =
  (upstream: UpstreamClient, base_url: string, secret: string): SendProbe =>
  async (entry, params = {}, query = '') => {
    const credential: PlatformCredential = { ...ANONYMOUS_CREDENTIAL, base_url, secret }
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

/** A platform replies to this path with JSON of its own: parameters, or an error. */
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

/**
 * Rejects a key whose kind differs from the detected one. A platform that is unreachable or rejects the key reveals nothing
 * about its kind.
 * @throws ProblemError 400 at the key
 */
export async function assertKeyKind(
  given: { base_url: string; key: string; kind: KeyKind },
  upstream: UpstreamClient,
): Promise<void> {
  const { found, isConclusive } = await detectKeyKind(createProbe(upstream, given.base_url, given.key))
  if (!isConclusive || found.may_be.includes(given.kind)) return
  const message = `must be a key of the kind ${given.kind}: the platform answers it as ${found.may_be.join(' or ')}`
  const fields = [{ path: 'body.key', message }]
  throw new ProblemError({ kind: 'invalid', status: 400, message: `The key ${message}.`, fields })
}

interface KeyKindDetection {
  found: KeyFound
  /** True if exactly one of the two probes accepts the key: a platform that accepts every key everywhere reveals no kind. */
  isConclusive: boolean
}

async function detectKeyKind(sendProbe: SendProbe): Promise<KeyKindDetection> {
  const app = await sendProbe(contract.workflows.parameters)
  if (app.problem) {
    const found = { name: null, latency_ms: app.latency_ms, problem: app.problem, kind: null, may_be: [] }
    return { found, isConclusive: false }
  }
  const documents = await sendProbe(contract.documents.list, { dataset_id: NIL_ID }, '?page=1&limit=1')
  const found = { name: null, latency_ms: app.latency_ms, problem: app.problem }
  const isApp = app.status !== 401
  const isKnowledge = documents.problem === null && documents.status !== 401
  const toDetection = (one: Pick<KeyFound, 'kind' | 'may_be'> & Partial<KeyFound>): KeyKindDetection => ({
    found: { ...found, ...one },
    isConclusive: isApp !== isKnowledge,
  })
  if (!isApp && !isKnowledge)
    return toDetection({ kind: null, may_be: [], problem: toRefusedProblem(app.status, app.body) })
  if (!isApp) return toDetection({ kind: 'knowledge', may_be: ['knowledge'] })
  const info = await sendProbe(contract.adjacent.info)
  const { mode, name: appName } = ((info.status === 200 && info.body) || {}) as { mode?: unknown; name?: unknown }
  const kindFromMode = KIND_BY_MODE[String(mode)] ?? null
  const name = typeof appName === 'string' ? appName : null
  if (kindFromMode && !isKnowledge) return toDetection({ name, kind: kindFromMode, may_be: [kindFromMode] })
  const run = await sendProbe(contract.workflows.readRun, { workflow_run_id: NIL_ID })
  const conversations = await sendProbe(contract.adjacent.listConversations, {}, '?limit=1')
  const may_be = (['chat', 'workflow', 'completion'] as const).filter(
    (kind) =>
      !(kind === 'workflow' && run.code === 'not_workflow_app') &&
      !(kind === 'chat' && conversations.code === 'not_chat_app') &&
      !(kind !== 'chat' && conversations.status === 200 && conversations.body !== null),
  )
  const all: KeyKind[] = isKnowledge && documents.status === 200 ? [...may_be, 'knowledge'] : may_be
  return toDetection({ name, kind: all.length === 1 ? (all[0] ?? null) : null, may_be: all })
}

/** The platform's error message for a rejected read. */
export function toRefusedProblem(status: number, body: unknown): Problem {
  const { message } = (body ?? {}) as { message?: unknown }
  return { kind: 'refused', message: String(message ?? `The platform answered ${status}.`), upstream: { status, body } }
}
