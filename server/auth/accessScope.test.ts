import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { LiveMessage } from '#contract/console/liveMessages.ts'
import type { TestConsole } from '../app.testing.ts'
import { openEventStream } from '../runs/subscriptions/livePages.testing.ts'
import { createPerson } from './people.testing.ts'
import { type IdsByName, TwoWorkspaces } from './twoWorkspaces.testing.ts'

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

  it('stands in no list', async () => {
    const lists = [
      '/api/workspaces',
      '/api/runs',
      '/api/calls',
      '/api/resources',
      '/api/batches',
      '/api/alerts',
      '/api/calls/export?format=jsonl',
      '/api/stats?zone=Europe/Zurich&days=7',
    ]
    for (const list of lists) {
      const { status, body } = await ask('GET', list)
      expect([list, status]).toEqual([list, 200])
      for (const [name, id] of Object.entries(theirs))
        expect([list, name, body.includes(id)]).toEqual([list, name, false])
    }
    expect((await ask('GET', '/api/runs')).body).toContain(mine.run_id)
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
})
