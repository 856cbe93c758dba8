import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { Problem } from '#contract/problem.ts'
import { openStream, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'

const FOLDER = join(process.env['SHARED_DATA'] ?? '../shared', 'real-inputs/console/S04')
const shared = [
  [200, 'reply-200.json', 'token expired'],
  [422, 'reply-422.json', 'inputs.city is required'],
] as const
const sharedReplies = shared.flatMap(([status, name, words]): [number, unknown, string, string][] =>
  existsSync(join(FOLDER, name))
    ? [[status, JSON.parse(readFileSync(join(FOLDER, name), 'utf8')), words, 'refused']]
    : [],
)

describe('an error of a gateway', () => {
  const bench = TestConsole.forFile()
  const ask = async () => {
    const id = randomUUID()
    await (await bench.ask({}, { 'run-id': id })).text()
    return bench.json<Run>('GET', `/api/runs/${id}`)
  }

  it.each<[number, unknown, string, string]>([
    ...sharedReplies,
    [200, { code: 'rate_limited', message: 'Too many requests', status: 429 }, 'Too many requests', 'refused'],
    [200, { error: { message: 'No such model', type: 'invalid' } }, 'No such model', 'refused'],
    [200, { code: 40301, msg: 'Tenant disabled', data: null }, 'Tenant disabled', 'refused'],
    [200, { message: 'Forbidden' }, 'The platform’s response contains no answer: “Forbidden”.', 'mismatch'],
    [200, { a: 1 }, 'The platform’s response contains no answer.', 'mismatch'],
    [403, { detail: 'Blocked by policy' }, 'Blocked by policy', 'refused'],
    [422, { detail: [{ loc: ['body', 'query'], msg: 'Field required' }] }, 'query is required', 'refused'],
  ])('with status %i and %j is told in its words', async (status, body, words, kind) => {
    bench.platform.script = (_, response) => sendError(response, status, body)
    expect(await ask()).toMatchObject({ status: 'failed', problem: { kind, message: words, upstream: { status } } })
  })

  it('in a stream is told in its words', async () => {
    bench.platform.script = (_, response) => {
      openStream(response)
      response.end('data: {"error":{"message":"upstream is out of capacity"}}\n\n')
    }
    const message = 'The platform ended the stream with an error: “upstream is out of capacity”.'
    expect(await ask()).toMatchObject({ status: 'interrupted', problem: { message } })
  })

  it('in place of a page or a list is told in its words', async () => {
    bench.platform.script = (_, response) => sendError(response, 200, { code: 'unauthorized', message: 'Token expired', status: 401 }) // prettier-ignore
    const list = await bench.fetch('GET', `/api/keys/${bench.keys.knowledge}/datasets`)
    expect([list.status, ((await list.json()) as Problem).message]).toEqual([424, 'Token expired'])
    bench.platform.script = (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Sign in</title></html>')
    const message = 'The platform answered with text/html where a stream was asked for: “Sign in”.'
    expect(await ask()).toMatchObject({ status: 'failed', problem: { kind: 'mismatch', message } })
  })
})
