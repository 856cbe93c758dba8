import { randomUUID } from 'node:crypto'
import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { hasPermission } from '#contract/permissions.ts'
import { answerSlowly, createAnswerIds, sendError, ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { toFormRequest } from './idFields.testing.ts'
import { createPerson } from './people.testing.ts'

/** Ids of a workspace, each under its field names in requests. */
export type IdsByName = Record<string, string>

/** A console with two workspaces that contain every kind of id, and an operator with a grant on one of them. */
export class TwoWorkspaces {
  testConsole!: TestConsole
  otherPlatform!: ScriptedPlatform
  /** Ids of the workspace without a grant. */
  foreignIds!: IdsByName
  ownIds!: IdsByName
  /** The keys of the operator's own workspace. */
  keys!: TestConsole['keys']
  cookie = ''
  /** Routes of the API that the operator may use. */
  operatorRoutes: RouteOptions[] = []

  static async start(): Promise<TwoWorkspaces> {
    const workspaces = new TwoWorkspaces()
    const testConsole = await TestConsole.start(undefined, { RATE_LIMIT_FACTOR: '1000' })
    workspaces.testConsole = testConsole
    workspaces.otherPlatform = await ScriptedPlatform.start()
    workspaces.foreignIds = await createResources(
      testConsole,
      testConsole.workspace,
      testConsole.keys,
      testConsole.platform,
    )
    const { id } = await testConsole.json<{ id: string }>('POST', '/api/workspaces', {
      name: 'Mine',
      base_url: workspaces.otherPlatform.url,
    })
    const keys = { ...testConsole.keys }
    for (const kind of ['knowledge', 'chat', 'completion', 'workflow'] as const) {
      const body = { kind, label: kind, key: `mine-${kind}` }
      keys[kind] = (await testConsole.json<{ id: string }>('POST', `/api/workspaces/${id}/keys`, body)).id
    }
    workspaces.keys = keys
    workspaces.ownIds = await createResources(testConsole, id, keys, workspaces.otherPlatform)
    workspaces.cookie = (await createPerson(testConsole, 'operator', [[id, null]])).cookie
    workspaces.operatorRoutes = testConsole.console.routes.filter(({ url, config }) => {
      const { permission = 'manage' } = config ?? {}
      return url.startsWith('/api/') && permission !== 'open' && hasPermission('operator', permission)
    })
    workspaces.clearPlatformCalls()
    return workspaces
  }

  async remove(): Promise<void> {
    await this.otherPlatform.close()
    await this.testConsole.remove()
  }

  /** Number of requests that the two platforms received. */
  countPlatformCalls = (): [number, number] => [
    this.testConsole.platform.requests.length,
    this.otherPlatform.requests.length,
  ]

  clearPlatformCalls(): void {
    this.testConsole.platform.requests.length = 0
    this.otherPlatform.requests.length = 0
  }

  send = async (method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) => {
    const response = await this.testConsole.console.app.inject({
      method: method as 'GET',
      url,
      headers: { host: 'localhost', 'x-console': '1', cookie: this.cookie, ...headers },
      ...(payload === undefined ? {} : { payload: payload as object }),
    })
    return { status: response.statusCode, body: response.body, headers: response.headers }
  }

  /** The path of a route, with ids of the operator's own workspace except for the given ones. */
  toPath = (url: string, replacedIds: IdsByName = {}): string =>
    url.replace(/:(\w+)/g, (_, name: string) => replacedIds[name] ?? this.ownIds[name] ?? randomUUID())

  /** Path parameters that are not ids, and the operator's own key for the entry. */
  toParams = ({ path, key, params }: Endpoint): IdsByName => {
    const kind = path.includes('/workflows') ? 'workflow' : key === 'app' || key === 'none' ? 'chat' : key
    const enumParams = Object.entries((params as unknown as z.ZodObject).shape).flatMap(([name, schema]) =>
      schema instanceof z.ZodEnum ? [[name, String(schema.options[0])]] : [],
    )
    return { key_id: this.keys[kind], ...(Object.fromEntries(enumParams) as IdsByName) }
  }
}

export async function createResources(
  bench: TestConsole,
  workspace: string,
  keys: TestConsole['keys'],
  platform: ScriptedPlatform,
): Promise<IdsByName> {
  const ids = createAnswerIds()
  platform.script = (_seen, response) => answerSlowly(response, ids, ['a'], 0)
  const run_id = randomUUID()
  const body = { query: 'Why?', user: 'u', response_mode: 'streaming' }
  await (await bench.fetch('POST', `/api/keys/${keys.chat}/chat-messages`, body, { 'run-id': run_id })).text()
  const run = await bench.json<{ conversation_id: string; message_id: string; task_id: string }>(
    'GET',
    `/api/runs/${run_id}`,
  )
  const upload_file_id = randomUUID()
  platform.script = (_seen, response) => sendError(response, 201, { id: upload_file_id, name: 'a.txt' })
  const form = toFormRequest([{ name: 'file', text: 'x', isFile: true }])
  await bench.fetch('POST', `/api/keys/${keys.chat}/files/upload`, form.payload, form.headers)
  const batch = await bench.json<{ id: string }>('POST', '/api/batches', {
    kind: 'run',
    key: keys.completion,
    name: 'b',
    total: 1,
    settings: { user: 'u', response_mode: 'blocking' },
    at_once: 1,
  })
  const savedItem = await bench.json<{ id: string }>('POST', '/api/saved-items', {
    kind: 'board',
    workspace,
    name: 'k',
    value: {},
  })
  const suite = await bench.json<{ id: string }>('POST', '/api/suites', {
    workspace,
    name: 's',
    target: 'retrieval',
    about: randomUUID(),
  })
  const resourceIds: IdsByName = {}
  for (const kind of ['dataset', 'document', 'segment', 'child_chunk', 'annotation', 'workflow_run', 'job'] as const) {
    const id = randomUUID()
    await bench.json('POST', '/api/resources', { kind, id, workspace })
    resourceIds[`${kind}_id`] = id
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
    saved_item_id: savedItem.id,
    suite_id: suite.id,
    about: keys.completion,
    conversation_id: run.conversation_id,
    message_id: run.message_id,
    task_id: run.task_id,
    upload_file_id,
    ...resourceIds,
  }
}
