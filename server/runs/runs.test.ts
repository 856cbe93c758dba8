import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { IdLookupResult } from '#contract/console/resources.ts'
import {
  answerSlowly,
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole, readFrames } from '../app.testing.ts'

const words = Array.from({ length: 40 }, (_, index) => `word${index} 校准 😀 `)
const ids = createAnswerIds()
const expected = [
  ...words.map((word) => toMessageBlock(ids, word)),
  toMessageEndBlock(ids, { usage: { total_tokens: 40, currency: 'USD', total_price: '0' } }),
].map((one) => one.trimEnd())

describe('a run', () => {
  const bench = TestConsole.forFile()
  const slowly = (gap: number) => {
    bench.platform.script = (_seen, response) => answerSlowly(response, ids, words, gap)
  }
  const run = (id: string) => bench.json<Run & { answer: { text: string } }>('GET', `/api/runs/${id}`)
  const ended = async (id: string) => {
    for (;;) {
      const found = await run(id)
      if (!['created', 'dispatched', 'streaming'].includes(found.status)) return found
    }
  }

  it('reaches the browser frame by frame as the platform sent it, and its row holds the fold', async () => {
    slowly(1)
    const id = randomUUID()
    const response = await bench.ask({}, { 'run-id': id })
    expect(response.headers.get('run-id')).toBe(id)
    const { frames, run: last } = readFrames(await response.text())
    expect(frames.map(({ id: seq }) => seq)).toEqual(expected.map((_, index) => index + 1))
    expect(frames.map(({ block: text }) => text)).toEqual(expected)
    expect(last).toMatchObject({ id, status: 'succeeded', frames: 41, total_tokens: 40 })
    expect((await run(id)).answer.text).toBe(words.join(''))
  })

  it('is posted to the platform once, however often the same Run-Id comes', async () => {
    slowly(2)
    const before = bench.platform.requests.length
    const id = randomUUID()
    const texts = await Promise.all(
      Array.from({ length: 100 }, async () => (await bench.ask({}, { 'run-id': id })).text()),
    )
    expect(bench.platform.requests.length - before).toBe(1)
    for (const text of texts) expect(readFrames(text).frames.map((frame) => frame.block)).toEqual(expected)
    expect(readFrames(await (await bench.ask({}, { 'run-id': id })).text()).frames.length).toBe(41)
    expect(bench.platform.requests.length - before).toBe(1)
  })

  it('refuses a Run-Id that belongs to another question', async () => {
    slowly(0)
    const id = randomUUID()
    await (await bench.ask({}, { 'run-id': id })).text()
    const response = await bench.ask({ query: 'Another?' }, { 'run-id': id })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ kind: 'invalid', fields: [{ path: 'headers.run-id' }] })
  })

  it('goes on when the browser has left, and is whole when it comes back', async () => {
    slowly(4)
    const id = randomUUID()
    const leaving = new AbortController()
    const response = await fetch(`${bench.url}/api/keys/${bench.keys.chat}/chat-messages`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { cookie: bench.cookie, 'x-console': '1', 'content-type': 'application/json', 'run-id': id },
      body: JSON.stringify({ query: 'Why?', user: 'tester' }),
    })
    await response.body?.getReader().read()
    leaving.abort()
    expect(await ended(id)).toMatchObject({ status: 'succeeded', frames: 41, answer: { text: words.join('') } })
  })

  it('is resumed after any frame with none missing and none twice, while it streams and later', async () => {
    slowly(3)
    const id = randomUUID()
    const whole = bench.ask({}, { 'run-id': id })
    await whole
    const resumed = await Promise.all(
      [0, 1, 2, 5, 17, 39, 40, 41].map(async (after) => {
        const response = await bench.fetch('GET', `/api/runs/${id}/events`, undefined, {
          'last-event-id': String(after),
        })
        return { after, text: await response.text() }
      }),
    )
    await ended(id)
    for (const { after, text } of resumed) {
      const { frames, run: last } = readFrames(text)
      expect(frames.map((frame) => frame.block)).toEqual(expected.slice(after))
      expect(last).toMatchObject({ id, status: 'succeeded' })
    }
    for (const odd of ['-1', 'x', '99999', '1e3', '']) {
      const response = await bench.fetch('GET', `/api/runs/${id}/events`, undefined, { 'last-event-id': odd })
      const { frames } = readFrames(await response.text())
      expect(frames.length).toBe(odd === '99999' ? 0 : 41)
    }
  })

  it('that the platform cuts is interrupted, keeps what came, and is never called a success', async () => {
    bench.platform.script = (_seen, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'Half an'))
      setImmediate(() => response.destroy())
    }
    const { run: last } = readFrames(await (await bench.ask()).text())
    expect(last).toMatchObject({ status: 'interrupted', problem: { kind: 'cut' } })
    bench.platform.script = (_seen, response) => {
      openStream(response)
      response.end(toMessageBlock(ids, 'Half an'))
    }
    const { frames, run: second } = readFrames(await (await bench.ask()).text())
    expect(frames.length).toBe(1)
    expect(second).toMatchObject({ status: 'interrupted', frames: 1 })
  })

  it('that ends with an error event has failed; garbage on the way is kept', async () => {
    bench.platform.script = (_seen, response) => {
      openStream(response)
      response.end(
        `event: ping\n\ndata: {"broken\n\n: comment\n\n${toMessageBlock(ids, 'Hello')}${toEventBlock({ event: 'error', status: 400, code: 'completion_request_error', message: 'no' })}`,
      )
    }
    const { frames, run: last } = readFrames(await (await bench.ask()).text())
    expect(frames.map((frame) => frame.block.slice(0, 14))).toEqual([
      'event: ping',
      'data: {"broken',
      ': comment',
      'data: {"event"',
      'data: {"event"',
    ])
    expect(last).toMatchObject({ status: 'failed' })
    expect((await run(String(last?.id))).answer.text).toBe('Hello')
  })

  it('that is refused before it begins answers with the platform’s words and is kept as failed', async () => {
    const body = { code: 'provider_quota_exceeded', message: 'Quota is used up.', status: 400 }
    bench.platform.script = (_seen, response) => sendError(response, 400, body)
    const id = randomUUID()
    const response = await bench.ask({}, { 'run-id': id })
    expect(response.status).toBe(424)
    expect(await response.json()).toMatchObject({
      kind: 'refused',
      message: 'Quota is used up.',
      upstream: { status: 400, body },
    })
    expect(await ended(id)).toMatchObject({ status: 'failed', frames: 0 })
    const events = readFrames(await (await bench.fetch('GET', `/api/runs/${id}/events`)).text())
    expect(events).toMatchObject({ frames: [], run: { status: 'failed', problem: { kind: 'refused' } } })
  })

  it('in blocking mode answers with the reply as it came, and is unknown when a gateway cut it', async () => {
    const reply = {
      event: 'message',
      ...ids,
      id: ids.message_id,
      mode: 'chat',
      answer: 'All at once.',
      metadata: { usage: { total_tokens: 9 } },
    }
    bench.platform.script = (_seen, response) => sendError(response, 200, reply)
    const id = randomUUID()
    const response = await bench.ask({ response_mode: 'blocking' }, { 'run-id': id })
    expect(await response.json()).toEqual(reply)
    expect(await ended(id)).toMatchObject({ status: 'succeeded', total_tokens: 9, answer: { text: 'All at once.' } })
    expect(await (await bench.ask({ response_mode: 'blocking' }, { 'run-id': id })).json()).toEqual(reply)
    bench.platform.script = (_seen, answer) =>
      void answer.writeHead(504, { 'content-type': 'text/html' }).end('<html>Gateway')
    const cut = randomUUID()
    expect((await bench.ask({ response_mode: 'blocking' }, { 'run-id': cut })).status).toBe(424)
    expect(await ended(cut)).toMatchObject({ status: 'unknown' })
  })

  it('whose whole reply holds no answer has failed, and the reply is passed on as it came', async () => {
    bench.platform.script = (_seen, response) => sendError(response, 200, { ok: true })
    for (const [response_mode, part] of [
      ['blocking', '{"ok":true}'],
      ['streaming', ''],
    ]) {
      const id = randomUUID()
      const reply = await (await bench.ask({ response_mode }, { 'run-id': id })).text()
      expect(reply).toContain(part)
      expect(await ended(id)).toMatchObject({
        status: 'failed',
        problem: { kind: 'mismatch', upstream: { status: 200, body: '{"ok":true}' } },
      })
    }
  })

  it('is found by the ids of its answer while that still comes, and names each once', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const own = createAnswerIds()
    bench.platform.script = async (_seen, response) => {
      openStream(response)
      response.write(toMessageBlock(own, 'Half an'))
      await held
      response.end(toMessageEndBlock(own))
    }
    const id = randomUUID()
    const answer = bench.ask({}, { 'run-id': id })
    const found = async () =>
      (await bench.list<IdLookupResult>(`/api/id-lookup?id=${own.message_id}`)).map(({ run }) => run)
    await expect.poll(found).toEqual([id])
    release()
    await (await answer).text()
    await ended(id)
    const rows = await bench.query<{ resource_ids: string[] }>('SELECT resource_ids FROM calls WHERE id = $1', [id])
    expect(rows[0]?.resource_ids.filter((one) => one === own.message_id)).toHaveLength(1)
  })

  it('of a server that has died is settled honestly at the next start', async () => {
    bench.platform.script = (_seen, response) => {
      response.setHeader('x-version', '1.16.1')
      openStream(response)
      response.write(toMessageBlock(ids, 'Half an'))
    }
    const id = randomUUID()
    const response = await bench.ask({}, { 'run-id': id })
    await response.body?.getReader().read()
    const rows = await bench.query('SELECT status, platform_version FROM calls WHERE id = $1', [id])
    expect(rows).toEqual([{ status: 'streaming', platform_version: '1.16.1' }])
    const done = randomUUID()
    const blocking = randomUUID()
    await bench.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, response_mode, server_id, created_at)
       VALUES ($1, 'chat.send', 'streaming', $3, $4, 'streaming', $5, now()), ($2, 'chat.send', 'dispatched', $3, $4, 'blocking', $5, now())`,
      [done, blocking, bench.workspace, bench.keys.chat, randomUUID()],
    )
    await bench.query(
      `INSERT INTO frames(call_id, seq, at, bytes, block) VALUES ($1, 1, 5, 10, $2), ($1, 2, 9, 10, $3)`,
      [done, toMessageBlock(ids, 'Whole.').trimEnd(), toMessageEndBlock(ids).trimEnd()],
    )
    await bench.query(`UPDATE calls SET server_id = $2 WHERE id = $1`, [id, randomUUID()])
    await bench.restart()
    expect(await run(done)).toMatchObject({ status: 'succeeded', frames: 2, answer: { text: 'Whole.' } })
    expect(await run(blocking)).toMatchObject({ status: 'unknown' })
    expect(['interrupted']).toContain((await run(id)).status)
  })
})
