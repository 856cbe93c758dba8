import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { message, messageEnd, newIds, openStream, refuse } from '../../e2e/faults/platform.ts'
import { Bench } from '../app.testing.ts'

const DASHBOARD = new URL('../../docs/operating/grafana.json', import.meta.url)

describe('/metrics', () => {
  let bench: Bench
  beforeAll(async () => {
    bench = await Bench.start()
  })
  afterAll(() => bench.remove())
  const told = async () => (await bench.fetch('GET', '/metrics')).text()

  it('counts the frames that were committed and how calls ended, and names nobody', async () => {
    const ids = newIds()
    bench.platform.script = (_seen, response) => {
      openStream(response)
      response.end(message(ids, 'One.') + messageEnd(ids))
    }
    await (await bench.ask({ query: 'Why?' })).text()
    bench.platform.script = (_seen, response) =>
      refuse(response, 500, { code: 'internal_server_error', message: 'broken', status: 500 })
    await (await bench.ask({ query: 'Again?' })).text()
    const text = await told()
    expect(text).toMatch(/^loupe_commit_frames_sum 2$/m)
    expect(text).toMatch(/^loupe_frame_delay_seconds_count [12]$/m)
    expect(text).toMatch(/^loupe_calls_ended_total\{status="succeeded",problem="none"\} 1$/m)
    expect(text).toMatch(/^loupe_calls_ended_total\{status="failed",problem="\w+"\} 1$/m)
    expect(text).toContain('route="/api/keys/:key_id/chat-messages"')
    for (const secret of [bench.sentinel, bench.workspace, bench.keys.chat, ids.conversation_id])
      expect(text).not.toContain(secret)
  })

  it('tells every figure that the shipped dashboard draws', async () => {
    const text = await told()
    const drawn = readFileSync(DASHBOARD, 'utf8').match(/\b(loupe|process|nodejs)_[a-z_]+/g) ?? []
    expect(drawn.length).toBeGreaterThan(8)
    for (const name of new Set(drawn)) expect(text, name).toContain(name.replace(/_(bucket|sum|count)$/, ''))
  })
})
