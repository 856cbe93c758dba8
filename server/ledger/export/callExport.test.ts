import { beforeAll, expect, it } from 'vitest'
import type { Call } from '#contract/console/calls.ts'
import type { IdLookupResult } from '#contract/console/resources.ts'
import { answerSlowly, createAnswerIds, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'

const DATASET = 'b0000000-0000-4000-8000-000000000001'
const testConsole = TestConsole.forFile()
let runId = ''
const ids = createAnswerIds()
beforeAll(async () => {
  testConsole.platform.script = (_seen, response) => answerSlowly(response, ids, ['The answer is ', '黑曜石灯具'], 0)
  // A person may paste a key where it does not belong.
  const asked = await testConsole.ask({ query: `=1+1 is ${testConsole.secretKey}-chat my key?` })
  await asked.text()
  runId = asked.headers.get('run-id') ?? ''
  testConsole.platform.script = (_seen, response) =>
    sendError(response, 400, { code: 'invalid_param', message: 'No such method.' })
  await testConsole.fetch('POST', `/api/keys/${testConsole.keys.knowledge}/datasets`, { name: '=HYPERLINK("x")' })
})

const exportCalls = async (format: string, query = '') => {
  const response = await testConsole.fetch('GET', `/api/calls/export?format=${format}${query}`)
  expect(response.headers.get('content-disposition')).toContain(`ledger.${format}`)
  return response.text()
}

it('a HAR holds each call with its request and its reply, a stream as it came, and no key', async () => {
  const text = await exportCalls('har')
  expect(text).not.toContain(testConsole.secretKey)
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
    request: { method: 'POST', url: `${testConsole.platform.url}/datasets`, headers: [] },
    response: { status: 400, content: { mimeType: 'application/json' } },
  })
  expect(refused?.response.content.text).toContain('No such method.')
  expect(JSON.parse(streamed?.request.postData?.text ?? '')).toMatchObject({ user: expect.any(String) as string })
  expect(streamed?.response.content).toMatchObject({ mimeType: 'text/event-stream' })
  expect(streamed?.response.content.text).toContain('黑曜石灯具')
  expect(streamed?.response.content.text.split('\n\n').length).toBeGreaterThan(2)
})

it('JSON lines and CSV hold what is filtered, formulas disarmed, and no key', async () => {
  const lines = (await exportCalls('jsonl', '&status=failed')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as Call).entry)).toEqual(['datasets.create'])
  const all = await exportCalls('jsonl')
  const csv = await exportCalls('csv')
  expect(
    all
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Call).id),
  ).toContain(runId)
  expect(csv).toContain(`"'=HYPERLINK(""x"")"`)
  expect(csv).toMatch(/,"?'=1\+1 is/)
  for (const text of [all, csv]) expect(text).not.toContain(testConsole.secretKey)
  expect((await testConsole.fetch('GET', '/api/calls/export?format=xls')).status).toBe(400)
})

const lookupId = async (id: string) => await testConsole.list<IdLookupResult>(`/api/id-lookup?id=${id}`)

it('an id says what it is, what holds it and which run named it', async () => {
  const resources = [
    ['dataset', DATASET, null, 'Lamps'],
    ['document', 'c0000000-0000-4000-8000-000000000001', DATASET, 'Manual'],
    ['segment', 'd0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000001', 'The gap.'],
    ['child_chunk', 'e0000000-0000-4000-8000-000000000001', 'd0000000-0000-4000-8000-000000000001', 'A gap.'],
  ] as const
  for (const [kind, id, parent, label] of resources)
    await testConsole.json('POST', '/api/resources', {
      workspace: testConsole.workspace,
      kind,
      id,
      label,
      ...(parent ? { parent } : {}),
    })
  expect(await lookupId(resources[3][1].toUpperCase())).toMatchObject([
    {
      kind: 'child_chunk',
      label: 'A gap.',
      workspace: testConsole.workspace,
      first_seen: expect.any(String) as string,
      holders: [
        { kind: 'segment', id: resources[2][1] },
        { kind: 'document', id: resources[1][1] },
        { kind: 'dataset', id: DATASET },
      ],
    },
  ])
  expect(await lookupId(runId)).toMatchObject([{ kind: 'run', id: runId, workspace: testConsole.workspace }])
  const [message] = await lookupId(ids.message_id)
  expect(message).toMatchObject({ kind: 'message', run: runId })
  expect(await lookupId(testConsole.keys.chat)).toMatchObject([{ kind: 'app', label: 'the chat key' }])
  expect(await lookupId('f0000000-0000-4000-8000-00000000000f')).toEqual([])
  expect(await lookupId('no-uuid-at-all-1')).toEqual([])
})

it.each(['/api/calls/export?format=jsonl', '/api/batches/BATCH/export?format=jsonl'])(
  '%s ends with the session of who reads it, however slowly',
  async (path) => {
    const { workspace, keys } = testConsole
    const body = { kind: 'run', key: keys.completion, name: 'b', total: 1, settings: { user: 'u', response_mode: 'blocking' }, at_once: 1 }
    const { id: batch } = await testConsole.json<{ id: string }>('POST', '/api/batches', body)
    await testConsole.query(
      `WITH large AS (
         INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, title, answer)
         SELECT gen_random_uuid(), 'completion.send', 'succeeded', $1::uuid, $2::uuid, now(), 't', json_build_object('text', repeat('x', 1000000))
         FROM generate_series(1, 30) RETURNING id)
       INSERT INTO batch_rows(batch_id, number, state, input, title, run_id)
       SELECT $3::uuid, 1 + row_number() OVER (), 'succeeded', json_build_object('inputs', json_build_object('a', repeat('x', 1000000)), 'beside', '{}'::json), 't', id FROM large`,
      [workspace, keys.completion, batch],
    )
    const { id, cookie } = await createPerson(testConsole, 'operator')
    const response = await testConsole.fetch('GET', path.replace('BATCH', batch), undefined, { cookie })
    expect(response.status).toBe(200)
    await testConsole.json('PATCH', `/api/people/${id}`, { disabled: true })
    await expect(response.text()).rejects.toThrow('terminated')
  },
) // prettier-ignore
