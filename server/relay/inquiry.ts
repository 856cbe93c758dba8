import type { KeyFound } from '#contract/console.ts'
import { type Endpoint, fill, type KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { Credential } from '../vault/vault.ts'
import { baseUrl, type Egress } from './egress.ts'
import { LIMITS, readProbe, type Upstream } from './upstream.ts'

/** An id of nothing: what is asked of it changes nothing, and who refuses it says who may ask. */
const NOTHING = '00000000-0000-4000-8000-000000000000'
/** What a platform is asked with when no key was given: who knows the path says that it does not know the key. */
const NO_KEY = 'loupe-asks-who-is-there'

interface Said {
  status: number
  body: unknown
  code: string | null
  version: string | null
  latency_ms: number
  problem: Problem | null
}
type Ask = (entry: Endpoint, params?: Record<string, string>, query?: string) => Promise<Said>

/** Under which address a platform answers, and what its keys are, found by reads alone. */
export async function inquire(
  given: { base_url: string; keys: readonly string[] },
  { upstream, check }: { upstream: Upstream; check: Egress['check'] },
) {
  const typed = baseUrl(given.base_url, check)
  const other = typed.endsWith('/v1') ? typed.slice(0, -3) : `${typed}/v1`
  const askAt = (base_url: string, secret: string): Ask => asking(upstream, base_url, secret)
  const secret = given.keys[0] ?? NO_KEY
  const { parameters } = contract.workflows
  const first = await askAt(typed, secret)(parameters)
  const second =
    isPlatform(first) || first.problem?.kind === 'unreachable' ? null : await askAt(other, secret)(parameters)
  const isOther = second !== null && isPlatform(second)
  const base_url = isOther ? other : typed
  const said = isOther ? second : first
  if (!isPlatform(said)) return { base_url: typed, version: null, problem: noPlatform(said), keys: [] }
  const keys: KeyFound[] = []
  for (const key of given.keys) keys.push((await examine(askAt(base_url, key))).found)
  return { base_url, version: said.version, problem: null, keys }
}

const asking =
  (upstream: Upstream, base_url: string, secret: string): Ask =>
  async (entry, params = {}, query = '') => {
    const credential: Credential = { ...NOBODY, base_url, secret }
    try {
      const path = fill(entry.path, params) + query
      const outgoing = { method: 'GET', path, accept: 'application/json', patience: LIMITS.read } as const
      const answer = await upstream.send(credential, outgoing, 'inquiry')
      const body = await readProbe(answer)
      const code = (body as { code?: unknown } | null | undefined)?.code
      const { status, version, latency_ms } = answer
      return { status, body, code: typeof code === 'string' ? code : null, version, latency_ms, problem: null }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      return { status: 0, body: null, code: null, version: null, latency_ms: 0, problem: error.problem }
    }
  }

const NOBODY = { key_id: '', kind: 'chat', label: '', hint: null, workspace_id: '', dialect: {} } as const

/** A platform answers this path with JSON of its own: parameters, or why not. */
const isPlatform = ({ status, body, code }: Said): boolean =>
  (status === 200 && typeof body === 'object' && body !== null) || ([400, 401, 403].includes(status) && code !== null)

function noPlatform({ problem, status, body }: Said): Problem {
  if (problem) return problem
  const message = `must be where a platform answers: it says ${status}${typeof body === 'object' ? '' : ', and not in JSON'}`
  return { kind: 'invalid', status: 400, message: `base_url ${message}`, fields: [{ path: 'body.base_url', message }] }
}

const MODES: Record<string, KeyKind> = {
  chat: 'chat',
  'agent-chat': 'chat',
  'advanced-chat': 'chat',
  agent: 'chat',
  workflow: 'workflow',
  completion: 'completion',
}

/**
 * What a key must not be kept as: another kind than the platform answers it as. A platform that cannot be reached, or
 * refuses the key, says nothing of its kind.
 * @throws ProblemError 400 at the key
 */
export async function demandKind(
  given: { base_url: string; key: string; kind: KeyKind },
  upstream: Upstream,
): Promise<void> {
  const { found, isTelling } = await examine(asking(upstream, given.base_url, given.key))
  if (!isTelling || found.may_be.includes(given.kind)) return
  const message = `must be a key of the kind ${given.kind}: the platform answers it as ${found.may_be.join(' or ')}`
  const fields = [{ path: 'body.key', message }]
  throw new ProblemError({ kind: 'invalid', status: 400, message: `The key ${message}.`, fields })
}

interface Examined {
  found: KeyFound
  /** Whether it is let in at one door and not at the other: who lets every key in everywhere tells none apart. */
  isTelling: boolean
}

async function examine(ask: Ask): Promise<Examined> {
  const app = await ask(contract.workflows.parameters)
  if (app.problem) {
    const found = { name: null, latency_ms: app.latency_ms, problem: app.problem, kind: null, may_be: [] }
    return { found, isTelling: false }
  }
  const documents = await ask(contract.documents.list, { dataset_id: NOTHING }, '?page=1&limit=1')
  const found = { name: null, latency_ms: app.latency_ms, problem: app.problem }
  const isApp = app.status !== 401
  const isKnowledge = documents.problem === null && documents.status !== 401
  const told = (one: Pick<KeyFound, 'kind' | 'may_be'> & Partial<KeyFound>): Examined => ({
    found: { ...found, ...one },
    isTelling: isApp !== isKnowledge,
  })
  if (!isApp && !isKnowledge) return told({ kind: null, may_be: [], problem: refusedBy(app.status, app.body) })
  if (!isApp) return told({ kind: 'knowledge', may_be: ['knowledge'] })
  const info = await ask(contract.adjacent.info)
  const { mode, name: given } = ((info.status === 200 && info.body) || {}) as { mode?: unknown; name?: unknown }
  const named = MODES[String(mode)] ?? null
  const name = typeof given === 'string' ? given : null
  if (named && !isKnowledge) return told({ name, kind: named, may_be: [named] })
  const run = await ask(contract.workflows.readRun, { workflow_run_id: NOTHING })
  const talks = await ask(contract.adjacent.listConversations, {}, '?limit=1')
  const may_be = (['chat', 'workflow', 'completion'] as const).filter(
    (kind) =>
      !(kind === 'workflow' && run.code === 'not_workflow_app') &&
      !(kind === 'chat' && talks.code === 'not_chat_app') &&
      !(kind !== 'chat' && talks.status === 200 && talks.body !== null),
  )
  const all: KeyKind[] = isKnowledge && documents.status === 200 ? [...may_be, 'knowledge'] : may_be
  return told({ name, kind: all.length === 1 ? (all[0] ?? null) : null, may_be: all })
}

/** What a platform said to a read that it refused. */
export function refusedBy(status: number, body: unknown): Problem {
  const { message } = (body ?? {}) as { message?: unknown }
  return { kind: 'refused', message: String(message ?? `The platform answered ${status}.`), upstream: { status, body } }
}
