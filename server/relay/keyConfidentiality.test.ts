import { describe, expect, it } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { createAnswerIds, openStream, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { listEncodings } from '#support/keyEncodings.ts'

const DATASET = '3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01'

describe('the key', () => {
  const bench = TestConsole.forFile()

  it('is in nothing that leaves the server, though the platform echoes it everywhere', async () => {
    const ids = createAnswerIds()
    bench.platform.script = (seen, response) => {
      const secret = String(seen.headers.authorization)
      if (seen.path.endsWith('/chat-messages') && seen.body.includes('"streaming"')) {
        openStream(response)
        const text = `data: ${JSON.stringify({ event: 'message', ...ids, answer: secret })}\n\n`
        const cut = text.indexOf(bench.secretKey) + 5
        response.write(text.slice(0, cut))
        setImmediate(() => response.end(`${text.slice(cut)}data: ${secret}\n\nevent: ${secret}\n\n`))
        return
      }
      const status = seen.path.includes('parameters') ? 401 : 200
      sendError(
        response,
        status,
        { id: DATASET, name: secret, message: secret, answer: secret, [secret]: [secret] },
        { 'x-echo': secret, 'set-cookie': secret },
      )
    }
    const { chat, knowledge } = bench.keys
    const replies = await Promise.all([
      bench.ask(),
      bench.ask({ response_mode: 'blocking' }),
      bench.fetch('GET', `/api/keys/${chat}/parameters`),
      bench.fetch('POST', `/api/keys/${knowledge}/datasets`, { name: 'echo' }),
      bench.fetch('POST', `/api/keys/${chat}/apps/annotations`, { question: 'q', answer: 'a' }),
    ])
    const sent = await Promise.all(
      replies.map(async (reply) => JSON.stringify([...reply.headers]) + (await reply.text())),
    )
    expect(sent.join('')).toContain('[REDACTED:key]')
    const reads = ['/api/workspaces', '/api/resources', '/api/runs', '/metrics', '/api/session', '/healthz']
    for (const path of reads) sent.push(await (await bench.fetch('GET', path)).text())
    const data = await bench.list<{ id: string }>('/api/runs')
    for (const { id } of data)
      for (const path of ['', '/events', '/frames'])
        sent.push(await (await bench.fetch('GET', `/api/runs/${id}${path}`)).text())
    const rows = await bench.query<{ dump: string }>(
      `SELECT (SELECT json_agg(calls)::text FROM calls) || (SELECT json_agg(frames)::text FROM frames)
         || (SELECT json_agg(resources)::text FROM resources) || (SELECT json_agg(keys)::text FROM keys) AS dump`,
    )
    const everything = [...sent, rows[0]?.dump ?? 'no dump', bench.log].join('\n')
    for (const form of Object.values(listEncodings(bench.secretKey)))
      expect(everything.includes(form), form).toBe(false)
  })

  it('is wiped when the origin of its workspace changes', async () => {
    const trap = await bench.json<{ id: string; keys: { hint: string | null }[] }>(
      'PATCH',
      `/api/workspaces/${bench.workspace}`,
      {
        base_url: 'http://127.0.0.1:9/v1',
      },
    )
    expect(trap.keys.every(({ hint }) => hint === null)).toBe(true)
    const response = await bench.fetch('GET', `/api/keys/${bench.keys.chat}/parameters`)
    expect([response.status, ((await response.json()) as Problem).message]).toEqual([
      409,
      expect.stringContaining('must be entered again'),
    ])
  })
})
