import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '#contract/calls.ts'
import type { Sighting } from '#contract/things.ts'
import { answerSlowly, newIds, refuse } from '../../e2e/faults/platform.ts'
import { Bench } from '../app.testing.ts'

const DATASET = 'b0000000-0000-4000-8000-000000000001'
let bench: Bench
let run = ''
const ids = newIds()
beforeAll(async () => {
  bench = await Bench.start()
  bench.platform.script = (_seen, response) => answerSlowly(response, ids, ['The answer is ', '黑曜石灯具'], 0)
  // A person may paste a key where it does not belong.
  const asked = await bench.ask({ query: `=1+1 is ${bench.sentinel}-chat my key?` })
  await asked.text()
  run = asked.headers.get('run-id') ?? ''
  bench.platform.script = (_seen, response) =>
    refuse(response, 400, { code: 'invalid_param', message: 'No such method.' })
  await bench.fetch('POST', `/api/keys/${bench.keys.knowledge}/datasets`, { name: '=HYPERLINK("x")' })
})
afterAll(() => bench.remove())

const exported = async (format: string, query = '') => {
  const response = await bench.fetch('GET', `/api/calls/export?format=${format}${query}`)
  expect(response.headers.get('content-disposition')).toContain(`ledger.${format}`)
  return response.text()
}

it('a HAR holds each call with its request and its reply, a stream as it came, and no key', async () => {
  const text = await exported('har')
  expect(text).not.toContain(bench.sentinel)
  const { log } = JSON.parse(text) as {
    log: {
      version: string
      entries: {
        request: { method: string; url: string; headers: unknown[]; postData?: { text: string } }
        response: { status: number; content: { mimeType: string; text: string } }
      }[]
    }
  }
  const [refused, streamed] = log.entries
  expect([log.version, log.entries.length]).toEqual(['1.2', 2])
  expect(refused).toMatchObject({
    request: { method: 'POST', url: `${bench.platform.url}/datasets`, headers: [] },
    response: { status: 400, content: { mimeType: 'application/json' } },
  })
  expect(refused?.response.content.text).toContain('No such method.')
  expect(JSON.parse(streamed?.request.postData?.text ?? '')).toMatchObject({ user: expect.any(String) as string })
  expect(streamed?.response.content).toMatchObject({ mimeType: 'text/event-stream' })
  expect(streamed?.response.content.text).toContain('黑曜石灯具')
  expect(streamed?.response.content.text.split('\n\n').length).toBeGreaterThan(2)
})

it('JSON lines and CSV hold what is filtered, formulas disarmed, and no key', async () => {
  const lines = (await exported('jsonl', '&status=failed')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as Call).entry)).toEqual(['datasets.create'])
  const all = await exported('jsonl')
  const csv = await exported('csv')
  expect(
    all
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Call).id),
  ).toContain(run)
  expect(csv).toContain(`"'=HYPERLINK(""x"")"`)
  expect(csv).toMatch(/,"?'=1\+1 is/)
  for (const text of [all, csv]) expect(text).not.toContain(bench.sentinel)
  expect((await bench.fetch('GET', '/api/calls/export?format=xls')).status).toBe(400)
})

const identified = async (id: string) => (await bench.json<{ data: Sighting[] }>('GET', `/api/identify?id=${id}`)).data

it('an id says what it is, what holds it and which run named it', async () => {
  const things = [
    ['dataset', DATASET, null, 'Lamps'],
    ['document', 'c0000000-0000-4000-8000-000000000001', DATASET, 'Manual'],
    ['segment', 'd0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000001', 'The gap.'],
    ['child_chunk', 'e0000000-0000-4000-8000-000000000001', 'd0000000-0000-4000-8000-000000000001', 'A gap.'],
  ] as const
  for (const [kind, id, parent, label] of things)
    await bench.json('POST', '/api/things', {
      workspace: bench.workspace,
      kind,
      id,
      label,
      ...(parent ? { parent } : {}),
    })
  expect(await identified(things[3][1].toUpperCase())).toMatchObject([
    {
      kind: 'child_chunk',
      label: 'A gap.',
      workspace: bench.workspace,
      first_seen: expect.any(String) as string,
      holders: [
        { kind: 'segment', id: things[2][1] },
        { kind: 'document', id: things[1][1] },
        { kind: 'dataset', id: DATASET },
      ],
    },
  ])
  expect(await identified(run)).toMatchObject([{ kind: 'run', id: run, workspace: bench.workspace }])
  const [message] = await identified(ids.message_id)
  expect(message).toMatchObject({ kind: 'message', run })
  expect(await identified(bench.keys.chat)).toMatchObject([{ kind: 'app', label: 'the chat key' }])
  expect(await identified('f0000000-0000-4000-8000-00000000000f')).toEqual([])
  expect(await identified('no-uuid-at-all-1')).toEqual([])
})
