import { randomUUID } from 'node:crypto'
import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { mayDo } from '#contract/roles.ts'
import { answerSlowly, newIds, refuse, ScriptedPlatform } from '../../e2e/faults/platform.ts'
import { Bench } from '../app.testing.ts'
import { formOf } from './id-fields.testing.ts'
import { newPerson } from './people.testing.ts'

/** Ids of a workspace, each under the names that requests give it. */
export type Ids = Record<string, string>

/** A console with two workspaces, each with everything that has an id, and an operator with a grant on one of them. */
export class TwoWorkspaces {
  bench!: Bench
  other!: ScriptedPlatform
  /** Of the workspace without a grant. */
  theirs!: Ids
  mine!: Ids
  /** The keys of the operator's own workspace. */
  keys!: Bench['keys']
  cookie = ''
  /** Routes of the API that the operator may use. */
  routes: RouteOptions[] = []

  static async start(): Promise<TwoWorkspaces> {
    const two = new TwoWorkspaces()
    const bench = await Bench.start(undefined, { RATE_LIMIT_FACTOR: '1000' })
    two.bench = bench
    two.other = await ScriptedPlatform.start()
    two.theirs = await fill(bench, bench.workspace, bench.keys, bench.platform)
    const { id } = await bench.json<{ id: string }>('POST', '/api/workspaces', {
      name: 'Mine',
      base_url: two.other.url,
    })
    const keys = { ...bench.keys }
    for (const kind of ['knowledge', 'chat', 'completion', 'workflow'] as const) {
      const body = { kind, label: kind, key: `mine-${kind}` }
      keys[kind] = (await bench.json<{ id: string }>('POST', `/api/workspaces/${id}/keys`, body)).id
    }
    two.keys = keys
    two.mine = await fill(bench, id, keys, two.other)
    two.cookie = (await newPerson(bench, 'operator', [[id, null]])).cookie
    two.routes = bench.console.routes.filter(({ url, config }) => {
      const { permission = 'manage' } = config ?? {}
      return url.startsWith('/api/') && permission !== 'open' && mayDo('operator', permission)
    })
    two.forgetCalls()
    return two
  }

  async remove(): Promise<void> {
    await this.other.close()
    await this.bench.remove()
  }

  /** How many requests the two platforms have had. */
  calls = (): [number, number] => [this.bench.platform.seen.length, this.other.seen.length]

  forgetCalls(): void {
    this.bench.platform.seen.length = 0
    this.other.seen.length = 0
  }

  ask = async (method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) => {
    const response = await this.bench.console.app.inject({
      method: method as 'GET',
      url,
      headers: { host: 'localhost', 'x-console': '1', cookie: this.cookie, ...headers },
      ...(payload === undefined ? {} : { payload: payload as object }),
    })
    return { status: response.statusCode, body: response.body, headers: response.headers }
  }

  /** The path of a route with ids of the operator's own workspace but for those that are given. */
  pathWith = (url: string, swapped: Ids = {}): string =>
    url.replace(/:(\w+)/g, (_, name: string) => swapped[name] ?? this.mine[name] ?? randomUUID())

  /** Path parameters that are no ids, and the operator's own key for the entry. */
  paramsFor = ({ path, key, params }: Endpoint): Ids => {
    const kind = path.includes('/workflows') ? 'workflow' : key === 'app' || key === 'none' ? 'chat' : key
    const words = Object.entries((params as unknown as z.ZodObject).shape).flatMap(([name, schema]) =>
      schema instanceof z.ZodEnum ? [[name, String(schema.options[0])]] : [],
    )
    return { key_id: this.keys[kind], ...(Object.fromEntries(words) as Ids) }
  }
}

async function fill(bench: Bench, workspace: string, keys: Bench['keys'], platform: ScriptedPlatform): Promise<Ids> {
  const ids = newIds()
  platform.script = (_seen, response) => answerSlowly(response, ids, ['a'], 0)
  const run_id = randomUUID()
  const body = { query: 'Why?', user: 'u', response_mode: 'streaming' }
  await (await bench.fetch('POST', `/api/keys/${keys.chat}/chat-messages`, body, { 'run-id': run_id })).text()
  const made = await bench.json<{ conversation_id: string; message_id: string; task_id: string }>(
    'GET',
    `/api/runs/${run_id}`,
  )
  const upload_file_id = randomUUID()
  platform.script = (_seen, response) => refuse(response, 201, { id: upload_file_id, name: 'a.txt' })
  const form = formOf([{ name: 'file', text: 'x', isFile: true }])
  await bench.fetch('POST', `/api/keys/${keys.chat}/files/upload`, form.payload, form.headers)
  const batch = await bench.json<{ id: string }>('POST', '/api/batches', {
    kind: 'run',
    key: keys.completion,
    name: 'b',
    total: 1,
    settings: { user: 'u', response_mode: 'blocking' },
    at_once: 1,
  })
  const kept = await bench.json<{ id: string }>('POST', '/api/kept', { kind: 'board', workspace, name: 'k', value: {} })
  const things: Ids = {}
  for (const kind of ['dataset', 'document', 'segment', 'child_chunk', 'annotation', 'workflow_run', 'job'] as const) {
    const id = randomUUID()
    await bench.json('POST', '/api/things', { kind, id, workspace })
    things[`${kind}_id`] = id
  }
  return {
    workspace_id: workspace,
    workspace,
    key_id: keys.chat,
    key: keys.knowledge,
    run_id,
    call_id: run_id,
    parent: run_id,
    batch_id: batch.id,
    kept_id: kept.id,
    about: keys.completion,
    conversation_id: made.conversation_id,
    message_id: made.message_id,
    task_id: made.task_id,
    upload_file_id,
    ...things,
  }
}
