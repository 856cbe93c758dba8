import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { LiveMessage } from '#contract/console/liveMessages.ts'
import type { TestConsole } from '../app.testing.ts'
import { openEventStream } from '../runs/subscriptions/livePages.testing.ts'
import { createPerson } from './people.testing.ts'
import { sendAnswer, sendError } from '#support/platforms/scriptedPlatform.ts'
import { runExperiment } from '../suites/experiment.testing.ts'
import { routeEntries, toSampleRequest } from './idFields.testing.ts'
import { createResources, type IdsByName, TwoWorkspaces } from './twoWorkspaces.testing.ts'

const NOBODY = randomUUID()

describe('what is beyond somebody’s reach', () => {
  let two: TwoWorkspaces
  let bench: TestConsole
  let theirs: IdsByName
  let mine: IdsByName

  beforeAll(async () => {
    two = await TwoWorkspaces.start()
    ;({ testConsole: bench, foreignIds: theirs, ownIds: mine } = two)
  })
  afterAll(() => two.remove())

  const ask = async (...given: Parameters<TwoWorkspaces['send']>) => {
    const { status, body } = await two.send(...given)
    return { status, body }
  }
  const paramsOf = (url: string) => [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const silent = () => expect(two.countPlatformCalls()).toEqual([0, 0])

  it('is told of as of what nobody knows, in the same words', async () => {
    const nobody = randomUUID()
    for (const [method, path] of [
      ['GET', '/api/runs/:run_id'],
      ['GET', '/api/runs/:run_id/frames'],
      ['GET', '/api/runs/:run_id/events'],
      ['GET', '/api/runs/:run_id/linked-file?url=https://files.example/a.png'],
      ['GET', '/api/calls/:call_id'],
      ['GET', '/api/batches/:batch_id'],
      ['GET', '/api/saved-items/:saved_item_id'],
      ['GET', '/api/suites/:suite_id'],
      ['GET', '/api/suites/:suite_id/cases'],
      ['DELETE', '/api/saved-items/:saved_item_id'],
      ['GET', '/api/keys/:key_id/parameters'],
      ['GET', '/api/keys/:key_id/uploaded-files/00000000-0000-4000-8000-000000000000?user=u'],
      ['GET', '/api/batches/:batch_id/export?format=csv'],
      ['GET', '/api/workspaces/:workspace_id/retention'],
      ['GET', '/api/conversations/:conversation_id/runs'],
    ] as const) {
      const [name = ''] = paramsOf(path)
      const foreign = await ask(method, path.replace(`:${name}`, theirs[name] ?? ''))
      expect([path, foreign]).toEqual([path, await ask(method, path.replace(`:${name}`, nobody))])
    }
    silent()
  })

  it('cannot be watched', async () => {
    const socket = new WebSocket(`${bench.url.replace('http', 'ws')}/api/live`, { headers: { cookie: two.cookie } })
    const messages: unknown[] = []
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())))
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
    for (const watch of [theirs.run_id, mine.run_id]) socket.send(JSON.stringify({ watch, after: 0 }))
    await expect.poll(() => messages.some((one) => typeof one === 'object' && one !== null && 'end' in one)).toBe(true)
    expect(messages.filter((one) => (one as { run: string }).run === theirs.run_id)).toMatchObject([
      { refused: { status: 404 } },
    ])
    socket.close()

    const streamed: LiveMessage[] = []
    const watch = [theirs.run_id, mine.run_id].map((run) => ({ run: run ?? '', after: 0 }))
    const stream = await openEventStream(bench.url, { cookie: two.cookie }, watch, (one) => streamed.push(one))
    await expect.poll(() => streamed.some((one) => 'end' in one)).toBe(true)
    expect(streamed.filter((one) => 'run' in one && one.run === theirs.run_id)).toMatchObject([
      { refused: { status: 404 } },
    ])
    stream.destroy()
  })

  it('may be all of a workspace but one app', async () => {
    const retention = `/api/workspaces/${theirs.workspace_id}/retention`
    const { pool } = bench.database
    await bench.json('GET', retention)
    await bench.console.retentionJob.whenIdle()
    bench.console.retentionJob.stop()
    const erased = { end_user: 'ada', before: '2026-01-01T00:00:00.000Z' }
    await pool.query('INSERT INTO erasures(workspace_id, end_user, before) VALUES ($1, $2, $3)', [
      ...[theirs.workspace_id, erased.end_user, erased.before],
    ])
    await pool.query('UPDATE retention SET removed = 7, removed_at = now(), oldest = now() WHERE workspace_id = $1', [
      theirs.workspace_id,
    ])
    expect(await bench.json('GET', retention)).toMatchObject({ erasures: [erased], removed: 7 })
    two.cookie = (await createPerson(bench, 'operator', [[theirs.workspace_id ?? '', theirs.key_id ?? '']])).cookie
    const workspaces = JSON.parse((await ask('GET', '/api/workspaces')).body) as {
      data: { id: string; keys: { id: string }[] }[]
    }
    expect(workspaces.data.map(({ id, keys }) => [id, keys.map((key) => key.id)])).toEqual([
      [theirs.workspace_id, [theirs.key_id]],
    ])
    expect((await ask('GET', `/api/runs/${theirs.run_id}`)).status).toBe(200)
    for (const path of [
      `/api/keys/${theirs.key}/datasets/${theirs.dataset_id}/documents`,
      `/api/batches/${theirs.batch_id}`,
      `/api/runs/${mine.run_id}`,
    ])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
    expect(JSON.parse((await ask('GET', retention)).body)).toMatchObject({
      ...{ workspace: theirs.workspace_id, erasures: [], removed: 0, removed_at: null },
      ...{ counted_at: null, calls: null, bytes: null, oldest: null },
    })
    const resources = JSON.parse((await ask('GET', '/api/resources')).body) as { data: { kind: string }[] }
    expect(resources.data.map(({ kind }) => kind).sort()).toEqual(['conversation', 'message'])
  })

  it('changes no reply that names none of its ids, whoever reads', async () => {
    const { workspace_id: workspace = '' } = theirs
    const keys = { ...bench.keys }
    for (const kind of ['chat', 'completion'] as const) {
      const body = { kind, label: kind, key: `sibling-${kind}` }
      keys[kind] = (await bench.json<{ id: string }>('POST', `/api/workspaces/${workspace}/keys`, body)).id
    }
    const oneApp = await createResources(bench, workspace, keys, bench.platform)
    const suite = { workspace, name: 's', target: 'chat', about: keys.chat, cases: [{ input: { query: 'q' } }] }
    oneApp.suite_id = (await bench.json<{ id: string }>('POST', '/api/suites', suite)).id
    const appOperator = await createPerson(bench, 'operator', [[workspace, keys.chat], [workspace, keys.completion]]) // prettier-ignore
    const readers = [
      { ids: mine, keys: two.keys, cookie: (await createPerson(bench, 'operator', [[mine.workspace_id ?? '', null]])).cookie },
      { ids: oneApp, keys, cookie: appOperator.cookie },
    ]
    const routes = two.operatorRoutes.filter(({ method, url }) => method === 'GET' && !/^\/api\/(account|keys|live|session)/.test(url))
    const readAll = async () => {
      const replies: Record<string, unknown> = {}
      for (const { ids, cookie, keys: own } of readers)
        for (const { url } of routes) {
          const entry = routeEntries.get(`GET ${url}`)
          const toId = (name: string) => (name === 'key' ? own.chat : (ids[name] ?? NOBODY))
          const query = entry?.query ? toSampleRequest(entry, 'query', toId) : {}
          const filled = new URLSearchParams({ ...(query as Record<string, string>), ...(url.endsWith('export') ? { format: 'jsonl' } : {}) })
          const path = `${url.replace(/:(\w+)/g, (_, name: string) => toId(name))}?${filled.toString()}`
          const { status, body } = await two.send('GET', path, undefined, { cookie })
          replies[`${ids.key_id} ${path}`] = [status, body]
        }
      return replies
    }
    const before = await readAll()
    await createResources(bench, workspace, bench.keys, bench.platform)
    bench.platform.script = (_seen, response) => sendAnswer(response, 'Within 30 days.')
    const experiment = await runExperiment(bench, oneApp.suite_id, { key: bench.keys.chat })
    await bench.json('POST', `/api/experiments/${experiment.id}/approve`, { is_baseline: true })
    await bench.json('PATCH', `/api/runs/${theirs.run_id}`, { tags: ['secret'] })
    bench.platform.script = (_seen, response) => sendError(response, 200, { result: 'success', unknown: 1 })
    await bench.json('POST', `/api/keys/${bench.keys.chat}/messages/${theirs.message_id}/feedbacks`, { rating: 'dislike', user: 'u' })
    bench.platform.script = (_seen, response) => sendError(response, 400, { code: 'invalid_param', message: 'No.', status: 400 })
    await bench.fetch('POST', `/api/keys/${bench.keys.chat}/chat-messages`, { query: 'q', user: 'u', response_mode: 'streaming' })
    await bench.json('POST', '/api/saved-items', { kind: 'input_set', workspace, about: bench.keys.chat, name: 'n', value: {} })
    await bench.query(`UPDATE resources SET parent = 'd', payload = '{"indexing_status": "parsing", "created_at": 1}' WHERE id = $1`, [theirs.document_id])
    expect(await readAll()).toEqual(before)
  }) // prettier-ignore
})
