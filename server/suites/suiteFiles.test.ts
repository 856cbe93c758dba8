import { expect, it } from 'vitest'
import type { SuiteFileReply } from '#contract/console/suiteFiles.ts'
import type { Suite, SuiteCase } from '#contract/console/suites.ts'
import { parseSuiteFile } from '#domain/suiteFile/suiteFileText.ts'
import { TestConsole } from '../app.testing.ts'

const testConsole = TestConsole.forFile()

const createSuite = (cases: object[]) =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'FAQ',
    target: 'chat',
    about: testConsole.keys.chat,
    checks: [{ type: 'not-is-refusal' }],
    cases,
  })
const readFile = ({ id }: Suite) => testConsole.json<SuiteFileReply>('GET', `/api/suites/${id}/file`)
const readSuite = ({ id }: Suite) => testConsole.json<Suite>('GET', `/api/suites/${id}`)
const listCases = async ({ id }: Suite) => await testConsole.list<SuiteCase>(`/api/suites/${id}/cases`)
/** What a file sends. */
const toBody = (text: string) => {
  const { file, faults } = parseSuiteFile(text)
  if (!file) throw new Error(JSON.stringify(faults))
  const { $schema: _schema, id: _id, about: _about, ...body } = file
  return body
}
const push = async ({ id }: Suite, body: object) => {
  const response = await testConsole.fetch('PUT', `/api/suites/${id}/file`, body)
  return { status: response.status, reply: (await response.json()) as SuiteFileReply & { message: string } }
}

it('gives a suite as a file, which changes nothing when it is sent back', async () => {
  const suite = await createSuite([
    { input: { query: 'Returns?' }, expected: { answer: 'Within 30 days.' }, tags: ['policy'] },
    { input: { query: 'And delivery?', earlier_turns: ['Returns?'] }, checks: [{ type: 'contains', value: '3 days' }] },
  ])
  const { text, revision, content_hash } = await readFile(suite)
  expect(parseSuiteFile(text).file).toMatchObject({
    $schema: `${testConsole.url}/suite.schema.json`,
    id: suite.id,
    revision: 1,
    content_hash,
    about: testConsole.keys.chat,
    name: 'FAQ',
    target: 'chat',
    checks: [{ type: 'not-is-refusal' }],
    cases: [{ name: 'Returns?', tags: ['policy'] }, { input: { earlier_turns: ['Returns?'] } }],
  })
  expect(revision).toBe(1)
  const same = await push(suite, toBody(text))
  expect(same).toMatchObject({ status: 200, reply: { revision: 1, text, added: 0, changed: 0, removed: 0 } })
})

it('makes the suite what the file says in one revision, and keeps the ids, the order and where a case came from', async () => {
  const suite = await createSuite([
    { input: { query: 'Returns?' } },
    { input: { query: 'Delivery?' } },
    { input: { query: 'Costs?' } },
  ])
  const [returns, delivery] = await listCases(suite)
  const { text } = await readFile(suite)
  const file = toBody(text)
  const [first, second] = file.cases
  const { reply } = await push(suite, {
    ...file,
    name: 'Support',
    checks: [],
    cases: [
      { input: { query: 'Refunds?' } },
      second,
      { ...first, expected: { answer: 'Within 14 days.' }, split: 'test' },
    ],
  })
  expect(reply).toMatchObject({ revision: 2, added: 1, changed: 1, removed: 1 })
  expect(await readSuite(suite)).toMatchObject({ name: 'Support', revision: 2, checks: [], cases: 3 })
  const after = await listCases(suite)
  expect(after.map(({ name, revision }) => [name, revision])).toEqual([
    ['Returns?', 2],
    ['Delivery?', 1],
    ['Refunds?', 2],
  ])
  expect(after.slice(0, 2).map(({ id }) => id)).toEqual([returns?.id, delivery?.id])
  expect(after[0]).toMatchObject({ expected: { answer: 'Within 14 days.' }, split: 'test' })
  const revisions = await testConsole.json<{ total: number }>(
    'GET',
    `/api/suites/${suite.id}/cases/${returns?.id}/revisions`,
  )
  expect(revisions.total).toBe(2)
  expect(await push(suite, toBody(reply.text))).toMatchObject({ status: 200, reply: { revision: 2, changed: 0 } })
})

it('refuses a file when the suite has changed since, and names what differs', async () => {
  const suite = await createSuite([{ input: { query: 'Returns?' } }])
  const file = toBody((await readFile(suite)).text)
  await testConsole.json('POST', `/api/suites/${suite.id}/cases`, { cases: [{ input: { query: 'Delivery?' } }] })
  const changed = { ...file, cases: [{ ...file.cases[0], tags: ['new'] }] }
  const { status, reply } = await push(suite, changed)
  expect(status).toBe(409)
  expect(reply.message).toContain('since revision 1, on which the file is based. It is now at revision 2')
  expect(reply.message).toContain('the case “Returns?” differs; the case “Delivery?” is only in the suite')
  expect(await readSuite(suite)).toMatchObject({ revision: 2, cases: 2 })
  // A new name begins no revision, and would be lost all the same.
  const current = toBody((await readFile(suite)).text)
  await testConsole.json('PATCH', `/api/suites/${suite.id}`, { name: 'Renamed' })
  expect((await push(suite, { ...current, checks: [] })).reply.message).toContain('the name of the suite differs')
})

it('of two pushes at the same moment one is refused', async () => {
  const suite = await createSuite([{ input: { query: 'Returns?' } }])
  const file = toBody((await readFile(suite)).text)
  const pushes = await Promise.all(
    ['a', 'b'].map((split) => push(suite, { ...file, cases: [{ ...file.cases[0], split }] })),
  )
  expect(pushes.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await readSuite(suite)).revision).toBe(2)
})

it('takes a file of 5,000 cases, which is larger than other requests may be', async () => {
  const suite = await createSuite([])
  const file = toBody((await readFile(suite)).text)
  const cases = Array.from({ length: 5_000 }, (_, at) => ({ input: { query: `Question ${at} ${'x'.repeat(300)}` } }))
  const { status, reply } = await push(suite, { ...file, cases })
  expect([status, reply.revision]).toEqual([200, 2])
  expect((await readSuite(suite)).cases).toBe(5_000)
  expect((await push(suite, toBody(reply.text))).reply).toMatchObject({ revision: 2, changed: 0 })
})

it('serves the JSON Schema of the file to everybody', async () => {
  const response = await fetch(`${testConsole.url}/suite.schema.json`)
  expect(response.status).toBe(200)
  const schema = (await response.json()) as { required: string[]; properties: { target: { enum: string[] } } }
  expect(schema.required).toEqual(['name', 'target'])
  expect(schema.properties.target.enum).toContain('workflow')
})
