import { readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { describe, expect, it, vi } from 'vitest'
import { createAnswerIds, sendAnswer, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { parseEnv } from '../env.ts'

const DASHBOARD = new URL('../../docs/operating/grafana.json', import.meta.url)

describe('/metrics', () => {
  const bench = TestConsole.forFile()
  /** The text as it is now: within a second of the last one the server would give that again. */
  const readFreshMetrics = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    return (await bench.fetch('GET', '/metrics')).text()
  }

  it('counts the frames that were committed and how calls ended, and names nobody', async () => {
    const ids = createAnswerIds()
    bench.platform.script = (_seen, response) => sendAnswer(response, 'One.', {}, ids)
    await (await bench.ask({ query: 'Why?' })).text()
    bench.platform.script = (_seen, response) =>
      sendError(response, 500, { code: 'internal_server_error', message: 'broken', status: 500 })
    await (await bench.ask({ query: 'Again?' })).text()
    const text = await readFreshMetrics()
    expect(text).toMatch(/^loupe_commit_frames_sum 2$/m)
    expect(text).toMatch(/^loupe_frame_delay_seconds_count [12]$/m)
    expect(text).toMatch(/^loupe_calls_ended_total\{status="succeeded",problem="none"\} 1$/m)
    expect(text).toMatch(/^loupe_calls_ended_total\{status="failed",problem="\w+"\} 1$/m)
    expect(text).toContain('route="/api/keys/:key_id/chat-messages"')
    for (const secret of [bench.secretKey, bench.workspace, bench.keys.chat, ids.conversation_id])
      expect(text).not.toContain(secret)
  })

  it('tells every figure that the shipped dashboard draws', async () => {
    const text = await readFreshMetrics()
    const drawn = readFileSync(DASHBOARD, 'utf8').match(/\b(loupe|process|nodejs)_[a-z_]+/g) ?? []
    expect(drawn.length).toBeGreaterThan(8)
    for (const name of new Set(drawn)) expect(text, name).toContain(name.replace(/_(bucket|sum|count)$/, ''))
  })

  it('renders once a second at most, however many requests ask', async () => {
    await readFreshMetrics()
    const render = vi.spyOn(Registry.prototype, 'metrics')
    const began = performance.now()
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 20 }, async () => (await bench.fetch('GET', '/metrics')).text()))
    const seconds = (performance.now() - began) / 1000
    expect(render.mock.calls.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
    render.mockRestore()
  })

  it('stays under 100 KB when every route was used with every kind of outcome', async () => {
    const { app, routes } = bench.console
    const slow = routes.filter(({ url }) => url !== '/api/live' && !url.endsWith('/events'))
    for (const { method, url } of slow) {
      const path = url.replace(/:\w+/g, crypto.randomUUID()).replace('*', 'x')
      for (const headers of [{}, { cookie: bench.cookie }, { cookie: bench.cookie, 'x-console': '1' }])
        await app.inject({ method: method as 'GET', url: path, headers: { host: '127.0.0.1', ...headers } })
    }
    const text = await readFreshMetrics()
    for (const { url } of slow) expect(text).toContain(`route="${url}"`)
    // The series by status that did not come up in this test: each method with each class.
    const series = text.split('\n').filter((line) => line.startsWith('loupe_http_request_duration_seconds'))
    const perOutcome = 5 + 3
    const all = 6 * 5 * perOutcome * Math.max(...series.map((line) => line.length + 1))
    const rest = text.length - series.join('\n').length
    expect(rest + all).toBeLessThan(100_000)
  })
})

describe('/metrics without a signed-in person', () => {
  const TOKEN = 'metrics-token-of-16-and-more'
  const withBench = async (settings: Record<string, string>, use: (bench: TestConsole) => Promise<void>) => {
    const bench = await TestConsole.start(undefined, settings)
    try {
      await use(bench)
    } finally {
      await bench.remove()
    }
  }
  const status = async (bench: TestConsole, headers: Record<string, string> = {}) => {
    const response = await fetch(`${bench.url}/metrics`, { headers })
    expect(await response.text()).toContain(response.status === 200 ? '# HELP' : '"kind":"denied","status":401')
    return response.status
  }

  it('answers the loopback, and no request that was forwarded', () =>
    withBench({}, async (bench) => {
      expect(await status(bench)).toBe(200)
      for (const [name, value] of [
        ['forwarded', 'for=192.0.2.1'],
        ['x-forwarded-for', '127.0.0.1'],
        ['x-forwarded-proto', 'https'],
        ['X-Forwarded-Host', 'loupe.example'],
        ['x-real-ip', '192.0.2.1'],
        ['via', '1.1 proxy'],
      ] as const) {
        expect([name, await status(bench, { [name]: value })]).toEqual([name, 401])
        expect([name, await status(bench, { [name]: value, cookie: bench.cookie })]).toEqual([name, 200])
      }
      expect(await status(bench, { authorization: `Bearer ${TOKEN}` })).toBe(200)
    }))

  it('answers the token alone where PUBLIC_URL is set', () =>
    withBench({ PUBLIC_URL: 'http://127.0.0.1:9999', METRICS_TOKEN: TOKEN }, async (bench) => {
      expect(await status(bench)).toBe(401)
      expect(await status(bench, { authorization: `Bearer ${TOKEN}x` })).toBe(401)
      expect(await status(bench, { authorization: `Bearer ${TOKEN}` })).toBe(200)
      expect(await status(bench, { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '192.0.2.1' })).toBe(200)
      expect(await status(bench, { cookie: bench.cookie })).toBe(200)
      expect((await fetch(`${bench.url}/api/runs`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(401)
    }))

  it('counts a request from an address of TRUSTED_PROXY as forwarded', () =>
    withBench({ TRUSTED_PROXY: '127.0.0.1' }, async (bench) => {
      expect(await status(bench)).toBe(401)
    }))

  it('refuses a token that can be guessed or sent in no header', () => {
    for (const METRICS_TOKEN of ['fifteen-letters', 'with a blank in the middle', 'schlüssel-schlüssel'])
      expect(() => parseEnv({ METRICS_TOKEN })).toThrow(
        /METRICS_TOKEN: must be visible ASCII without blanks, 16 to 512/,
      )
    expect(parseEnv({ METRICS_TOKEN: 'sixteen-letters!' }).METRICS_TOKEN).toBe('sixteen-letters!')
  })
})
