import { randomUUID } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import type { LiveMessage } from '#contract/console/liveMessages.ts'
import type { Batch } from '#contract/console/batches.ts'
import type { Run } from '#contract/console/runs.ts'
import {
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole, readFrames } from './app.testing.ts'
import { createPerson } from './auth/people.testing.ts'
import { BatchRowStore } from './batches/batchRows.ts'
import { openEventStream } from './runs/subscriptions/livePages.testing.ts'
import type { NewCall } from './ledger/callRow.ts'
import { Ledger } from './ledger/ledger.ts'

const ids = createAnswerIds()

const CALL_FIXTURE: Omit<NewCall, 'id' | 'workspace_id' | 'key_id'> = {
  entry: 'completion.send',
  status: 'dispatched',
  person_id: null,
  params: null,
  request: null,
  request_hash: null,
  response_mode: 'blocking',
  title: '',
  end_user: null,
  parent_id: null,
  server_id: randomUUID(),
}

/** A stream that goes on when it is told to. */
class ScriptedStream {
  #send: (text: string) => void = () => undefined
  readonly script = (_seen: unknown, response: Parameters<typeof openStream>[0]) => {
    openStream(response)
    this.#send = (text) =>
      void (text ? response.write(toMessageBlock(ids, text)) : response.end(toMessageEndBlock(ids, {})))
  }
  send = (text: string) => this.#send(text)
  end = () => this.#send('')
}

/** Reads a stream part by part. */
async function* readParts(response: Response): AsyncGenerator<string> {
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) yield (text += part)
}

describeWith(requirements.postgresql)('two servers on one PostgreSQL', () => {
  const { one, other } = TestConsole.pairForFile(() => ({ MASTER_KEY: 'ab'.repeat(32) }))
  afterEach(() => void (one.platform.requests.length = 0))
  const posted = () => one.platform.requests.filter(({ method, path }) => method === 'POST' && /-messages$/.test(path))
  const events = (bench: TestConsole, id: string) => bench.fetch('GET', `/api/runs/${id}/events`)

  it('show a run alike, send it once whoever is asked, and know on the other what it has said so far', async () => {
    const held = new ScriptedStream()
    one.platform.script = held.script
    const id = randomUUID()
    const streams = await Promise.all([one, other, other, one].map((bench) => bench.ask({}, { 'run-id': id })))
    held.send('Green ')
    await vi.waitFor(async () => {
      const run = await other.json<Run & { answer: { text: string } }>('GET', `/api/runs/${id}`)
      expect(run).toMatchObject({ status: 'streaming', task_id: ids.task_id, answer: { text: 'Green ' } })
      expect(run.answer).toEqual((await one.json<Run & { answer: unknown }>('GET', `/api/runs/${id}`)).answer)
    })
    held.send('tea.')
    held.end()
    const shown = await Promise.all(streams.map(async (stream) => readFrames(await stream.text())))
    for (const { frames, run } of shown) {
      expect(frames.map((frame) => frame.id)).toEqual([1, 2, 3])
      expect({ frames, run }).toEqual(shown[0])
    }
    expect(posted()).toHaveLength(1)
    const refused = await other.ask({ query: 'What else?' }, { 'run-id': id })
    expect(refused.status).toBe(422)
  })

  it('show a page without a WebSocket its run, whichever of them answers each of its requests', async () => {
    const held = new ScriptedStream()
    one.platform.script = held.script
    const id = randomUUID()
    const carried = one.ask({}, { 'run-id': id })
    await vi.waitFor(() => expect(posted()).toHaveLength(1))
    const seqs: number[] = []
    const ended = Promise.withResolvers<LiveMessage>()
    const openPage = (server: TestConsole) =>
      openEventStream(server.url, { cookie: server.cookie }, [{ run: id, after: seqs.at(-1) ?? 0 }], (message) => {
        if ('frames' in message) seqs.push(...message.frames.map(([seq]) => seq))
        if ('end' in message) ended.resolve(message)
      })
    for (const [index, server] of [one, other, one, other].entries()) {
      const page = await openPage(server)
      held.send(`word ${index} `)
      await vi.waitFor(() => expect(seqs).toHaveLength(index + 1))
      page.destroy()
    }
    held.end()
    const page = await openPage(other)
    expect(await ended.promise).toMatchObject({ run: id, end: { status: 'succeeded', frames: 5 } })
    page.destroy()
    expect(seqs).toEqual([1, 2, 3, 4, 5])
    await (await carried).text()
  })

  it('hear each other’s words whole, however many ids there are, and none that is no id', async () => {
    const heard = new Set<string>()
    const leave = other.database.messageBus.subscribe('batch', (said) => said.forEach((id) => heard.add(id)))
    const said = Array.from({ length: 700 }, () => randomUUID())
    one.database.messageBus.publish('batch', [...said, 'x'.repeat(10_000)])
    await vi.waitFor(() => expect(heard).toEqual(new Set(said)))
    leave()
  })

  it('stop a run that the other carries, and show there what the platform makes of it', async () => {
    const held = new ScriptedStream()
    one.platform.script = (seen, response) => {
      if (!seen.path.endsWith('/stop')) return held.script(seen, response)
      sendError(response, 200, { result: 'success' })
      held.end()
    }
    const id = randomUUID()
    const carried = one.ask({}, { 'run-id': id })
    await vi.waitFor(() => expect(posted()).toHaveLength(1))
    held.send('Half an ')
    const shown = events(other, id)
    const { task_id } = await vi.waitFor(async () => {
      const run = await other.json<Run>('GET', `/api/runs/${id}`)
      expect(run.task_id).toBe(ids.task_id)
      return run
    })
    const path = `/api/keys/${other.keys.chat}/chat-messages/${task_id}/stop`
    expect(await other.json('POST', path, { user: 'tester' })).toEqual({ result: 'success' })
    const { frames, run } = readFrames(await (await shown).text())
    expect(frames.map((frame) => frame.id)).toEqual([1, 2])
    expect(run).toMatchObject({ status: 'stopped', frames: 2 })
    await (await carried).text()
  })

  it('answer a blocking run that was posted to both with the one reply of the platform', async () => {
    one.platform.script = async (_seen, response) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      sendError(response, 200, { event: 'message', ...ids, id: ids.message_id, mode: 'chat', answer: 'whole' })
    }
    const id = randomUUID()
    const replies = await Promise.all(
      [one, other].map(async (bench) => (await bench.ask({ response_mode: 'blocking' }, { 'run-id': id })).json()),
    )
    expect(replies[0]).toMatchObject({ answer: 'whole' })
    expect(replies[1]).toEqual(replies[0])
    expect(posted()).toHaveLength(1)
  })

  it('go on showing a run while the line between them is lost, and find it again', async () => {
    const held = new ScriptedStream()
    one.platform.script = held.script
    const id = randomUUID()
    const whole = one.ask({}, { 'run-id': id })
    await vi.waitFor(() => expect(posted()).toHaveLength(1))
    held.send('Green ')
    const parts = readParts(await events(other, id))
    const until = async (word: string) => {
      for (;;) if (((await parts.next()).value ?? '').includes(word)) return
    }
    await until('Green')
    const lost = await one.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'LISTEN|pg_notify' AND pid <> pg_backend_pid()`,
    )
    expect(lost.rowCount).toBeGreaterThanOrEqual(2)
    held.send('tea ')
    await until('tea')
    await vi.waitFor(() =>
      expect([one, other].map(({ database }) => database.messageBus.isConnected)).toEqual([true, true]),
    )
    held.send('is hot.')
    await until('hot')
    held.end()
    await until('loupe.run')
    await (await whole).text()
  })

  it('end what a session has open on the other when it ends on one', async () => {
    const held = new ScriptedStream()
    one.platform.script = held.script
    const id = randomUUID()
    await one.ask({}, { 'run-id': id, prefer: 'respond-async' })
    const { cookie } = await createPerson(one, 'viewer')
    const readAsGuest = () => other.fetch('GET', `/api/runs/${id}/events`, undefined, { cookie })
    const stream = await readAsGuest()
    expect(stream.status).toBe(200)
    const text = stream.text()
    expect((await one.fetch('DELETE', '/api/session', undefined, { cookie })).status).toBe(200)
    expect(readFrames(await text).run).toBeNull()
    expect((await readAsGuest()).status).toBe(401)
    held.end()
    await vi.waitFor(async () => expect((await one.json<Run>('GET', `/api/runs/${id}`)).status).not.toBe('streaming'))
  })

  it('use a key no longer that was replaced or deleted on the other', async () => {
    one.platform.script = (_seen, response) => sendError(response, 200, { event: 'message', ...ids, answer: 'Yes.' })
    const path = `/api/workspaces/${one.workspace}/keys`
    const { id } = await one.json<{ id: string }>('POST', path, { kind: 'chat', label: 'short', key: 'app-before' })
    const ask = async (bench: TestConsole) => {
      one.platform.requests.length = 0
      const body = { query: 'Why?', user: 'tester', response_mode: 'blocking' }
      const { status } = await bench.fetch('POST', `/api/keys/${id}/chat-messages`, body)
      return posted().at(-1)?.headers.authorization ?? status
    }
    expect(await ask(other)).toBe('Bearer app-before')
    await one.json('PATCH', `${path}/${id}`, { key: 'app-after' })
    await vi.waitFor(async () => expect(await ask(other)).toBe('Bearer app-after'))
    await one.json('DELETE', `${path}/${id}`)
    await vi.waitFor(async () => expect(await ask(other)).toBe(404))
  })

  it('stop a batch that the other works on, and send no row that was given away', async () => {
    const gate = Promise.withResolvers<undefined>()
    one.platform.script = async (_seen, response) => {
      await gate.promise
      sendError(response, 200, { event: 'message', message_id: randomUUID(), mode: 'completion', answer: 'Yes.' })
    }
    const { id } = await one.json<Batch>('POST', '/api/batches', {
      key: one.keys.completion,
      name: 'Shared',
      total: 20,
      settings: { user: 'tester', response_mode: 'blocking' },
      at_once: 2,
    })
    const rows = Array.from({ length: 20 }, (_, index) => ({ inputs: { text: `row ${index}` } }))
    await one.json('POST', `/api/batches/${id}/rows`, { first: 1, rows })
    await one.json('POST', `/api/batches/${id}/start`, {})
    await vi.waitFor(() => expect(posted()).toHaveLength(2))
    expect(await other.json<Batch>('POST', `/api/batches/${id}/pause`, {})).toMatchObject({ state: 'paused' })
    gate.resolve(undefined)
    await vi.waitFor(async () =>
      expect(await other.json<Batch>('GET', `/api/batches/${id}`)).toMatchObject({
        state: 'paused',
        counts: { succeeded: 2, running: 0, waiting: 18 },
      }),
    )
    expect(posted()).toHaveLength(2)
  })

  it('leave the batch of another server to it until heartbeats have come for as long as a lease', async () => {
    one.platform.script = (_seen, response) =>
      sendError(response, 200, { event: 'message', message_id: randomUUID(), mode: 'completion', answer: 'Yes.' })
    const settings = { user: 'tester', response_mode: 'blocking' }
    const body = { key: one.keys.completion, name: 'Left', total: 1, settings }
    const { id } = await one.json<Batch>('POST', '/api/batches', body)
    await one.json('POST', `/api/batches/${id}/rows`, { first: 1, rows: [{ inputs: { text: 'a' } }] })
    // A heartbeat on its way may put the earlier time back; the next one of each server keeps what it finds.
    let changedAt: string | undefined
    await expect
      .poll(
        async () => {
          const [changed] = await one.query<{ at: string }>(
            `UPDATE servers SET steady_since = now() + interval '1 minute' WHERE steady_since < now() RETURNING now()::text AS at`,
          )
          changedAt = changed?.at ?? changedAt
          return one.query('SELECT id FROM servers WHERE seen_at <= $1', [changedAt])
        },
        { timeout: 10_000 },
      )
      .toEqual([])
    const silent = randomUUID()
    await one.query(`INSERT INTO servers(id, seen_at) VALUES ($1, now() - interval '9 s')`, [silent])
    await one.query(`UPDATE batches SET state = 'running', server_id = $2 WHERE id = $1`, [id, silent])
    for (const bench of [one, other]) await bench.json('PATCH', `/api/batches/${id}`, { at_once: 2 })
    expect(await one.query('SELECT server_id FROM batches WHERE id = $1', [id])).toEqual([{ server_id: silent }])
    await one.query(`UPDATE servers SET steady_since = now() - interval '1 hour'`)
    await expect
      .poll(async () => (await one.json<Batch>('GET', `/api/batches/${id}`)).counts.succeeded, { timeout: 15_000 })
      .toBe(1)
  })

  it('either make the call of a row or give the row away, however close the two come', async () => {
    const found = await one.query<{ batch_id: string; number: number }>(
      `SELECT batch_id, number FROM batch_rows WHERE state = 'waiting'`,
    )
    const ledger = new Ledger(one.database.pool)
    const rows = new BatchRowStore(other.database, randomUUID(), [])
    const outcomes = await Promise.all(
      found.map(async ({ batch_id, number }) => {
        const id = randomUUID()
        await one.query(`UPDATE batch_rows SET state = 'running', run_id = $3 WHERE batch_id = $1 AND number = $2`, [
          batch_id,
          number,
          id,
        ])
        const call = { ...CALL_FIXTURE, id, workspace_id: one.workspace, key_id: one.keys.completion }
        const [isMade] = await Promise.all([
          ledger.insertCall({ ...call, batch_row: { batch_id, number } }),
          rows.requeue(batch_id, [number]),
        ])
        const now = await one.query<{ state: string; run_id: string | null }>(
          'SELECT state, run_id FROM batch_rows WHERE batch_id = $1 AND number = $2',
          [batch_id, number],
        )
        expect(now).toEqual([isMade ? { state: 'running', run_id: id } : { state: 'waiting', run_id: null }])
        expect((await ledger.findSummary(id)) !== null).toBe(isMade)
        return isMade
      }),
    )
    expect(outcomes).toHaveLength(18)
  })
})
