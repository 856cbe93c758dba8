import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ExperimentCauses } from '#contract/console/experiments/experimentCauses.ts'
import type { Experiment, Suite } from '#contract/console/suites.ts'
import {
  createAnswerIds,
  openStream,
  type PlatformScript,
  toEventBlock,
  sendAnswer,
  sendError as sendJson,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'
import { runExperiment as runToEnd } from '../experiment.testing.ts'

const DATASET = randomUUID()
const [LAMPS, TIMES] = [randomUUID(), randomUUID()]
const [HOURS, RESET, TEA] = [randomUUID(), randomUUID(), randomUUID()]

const testConsole = TestConsole.forFile()
/** The segments of the platform, and the settings of its dataset. */
let contents: Record<string, string> = {}
let settings: object = {}
beforeEach(async () => {
  contents = {
    [HOURS]: 'A lamp lasts 2,000 hours.',
    [RESET]: 'The counter of a lamp is reset.',
    [TEA]: 'Tea is steeped for minutes.',
  }
  testConsole.platform.script = answerFromSegments
  await edit('PATCH', '', { retrieval_model: { search_method: 'keyword_search', top_k: 3 } })
})

const findSegments = (query: string) =>
  Object.entries(contents)
    .filter(([, content]) => content.toLowerCase().includes(query.toLowerCase()))
    .map(([id, content]) => ({ id, content, document_id: id === TEA ? TIMES : LAMPS }))
const answerFromSegments: PlatformScript = ({ path, method, body }, response) => {
  const sent = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>
  const query = String(sent.query)
  if (path.endsWith('/retrieve'))
    return sendJson(response, 200, {
      query: { content: query },
      records: findSegments(query).map((segment) => ({
        segment: { ...segment, document: { id: segment.document_id, name: 'Lamps' } },
        score: 1,
      })),
    })
  if (path.endsWith('/chat-messages')) {
    const ids = createAnswerIds()
    const retriever_resources = findSegments(query).map(({ id, ...segment }) => ({
      ...segment,
      segment_id: id,
      dataset_id: DATASET,
    }))
    return sendAnswer(response, retriever_resources[0]?.content ?? 'nothing', { retriever_resources }, ids)
  }
  if (path.endsWith('/workflows/run')) {
    const { question } = sent.inputs as { question: string }
    const result = findSegments(question).map(({ id, content, document_id }) => ({
      title: 'Lamps',
      content,
      metadata: { segment_id: id, document_id, dataset_id: DATASET },
    }))
    const send = (event: string, data: object) =>
      response.write(toEventBlock({ event, task_id: 't', workflow_run_id: 'r', data }))
    const node = { id: randomUUID(), node_id: 'find', node_type: 'knowledge-retrieval', title: 'Find', index: 1 }
    const run = { id: 'r', workflow_id: 'w' }
    openStream(response)
    send('workflow_started', { ...run, inputs: sent.inputs })
    send('node_started', node)
    send('node_finished', { ...node, status: 'succeeded', outputs: { result } })
    send('workflow_finished', { ...run, status: 'succeeded', outputs: { text: result[0]?.content ?? '' } })
    return void response.end()
  }
  const segment = Object.keys(contents).find((id) => path.includes(id))
  if (segment) {
    const { content = contents[segment] ?? '' } = (sent.segment ?? {}) as { content?: string }
    if (method === 'DELETE') Reflect.deleteProperty(contents, segment)
    else contents[segment] = content
    return sendJson(response, 200, { data: { id: segment, content }, doc_form: 'text_model' })
  }
  if (method === 'PATCH' && !path.includes('/documents/'))
    settings = { ...settings, ...(sent.retrieval_model as object) }
  return sendJson(response, 200, { id: DATASET, name: 'Lamps', retrieval_model_dict: settings })
}

const edit = (method: string, path: string, body?: object) =>
  testConsole.json(method, `/api/keys/${testConsole.keys.knowledge}/datasets/${DATASET}${path}`, body)
const editSegment = (id: string, content: string) =>
  edit('POST', `/documents/${id === TEA ? TIMES : LAMPS}/segments/${id}`, { segment: { content } })

const createSuite = (more: { target?: 'chat' | 'workflow'; checks?: object[]; cases?: object[] } = {}) =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Lamps',
    target: 'retrieval',
    about: more.target ? testConsole.keys[more.target] : DATASET,
    cases: [
      { input: { query: '2,000' }, expected: { segments: [{ id: HOURS }] } },
      { input: { query: 'counter' }, expected: { segments: [{ id: RESET }] } },
      { input: { query: 'steeped' }, expected: { segments: [{ id: TEA }] } },
    ],
    ...more,
  })
/** Of one question to the chat, whose answer contains a text. */
const createChatSuite = (query: string, value: string) =>
  createSuite({ target: 'chat', checks: [{ type: 'contains', value }], cases: [{ input: { query } }] })
const runExperiment = ({ id }: Suite, given: object = {}) => runToEnd(testConsole, id, given)
const explain = (before: Experiment, after: Experiment) =>
  testConsole.json<ExperimentCauses>('GET', `/api/experiments/${after.id}/causes?with=${before.id}`)

it('names the edit of the segment that a regressed case cited, with who made it and its call', async () => {
  const suite = await createSuite()
  const before = await runExperiment(suite)
  await editSegment(TEA, 'Tea is steeped for seconds.')
  await editSegment(HOURS, 'A lamp lasts 3,000 hours.')
  const after = await runExperiment(suite)
  const { data, cases, ...rest } = await explain(before, after)
  expect(rest).toMatchObject({ total: 1, regressed: 1, examined: 1, is_complete: true, from: before.batch.created_at })
  expect(data).toEqual([
    {
      id: expect.stringContaining(HOURS),
      kind: 'segment_edited',
      call: expect.any(String),
      person: 'admin',
      at: expect.any(String),
      dataset_id: DATASET,
      document_id: LAMPS,
      segment_id: HOURS,
      document_name: 'Lamps',
      differences: [],
      cases: 1,
    },
  ])
  expect(cases.map(({ causes }) => causes.map(({ id }) => id))).toEqual([[data[0]?.id]])
  expect(cases[0]?.causes[0]?.changed_share).toBeGreaterThan(0)
  expect(await testConsole.json('GET', `/api/calls/${data[0]?.call}`)).toMatchObject({
    entry: 'adjacent.updateSegment',
  })

  await editSegment(HOURS, 'A lamp lasts 2,000 hours.')
  const again = await runExperiment(suite)
  expect(await explain(before, again)).toMatchObject({ data: [], cases: [], regressed: 0, examined: 0 })
  await edit('DELETE', `/documents/${LAMPS}/segments/${RESET}`)
  expect((await explain(before, await runExperiment(suite))).data).toMatchObject([
    { kind: 'segment_deleted', segment_id: RESET },
  ])
})

it('names settings that are not what they were, and no setting that was set back', async () => {
  const suite = await createSuite()
  const before = await runExperiment(suite)
  await edit('PATCH', '', { retrieval_model: { top_k: 1 } })
  await edit('PATCH', '', { name: 'Renamed', retrieval_model: { search_method: 'full_text_search' } })
  await edit('PATCH', '', { retrieval_model: { search_method: 'keyword_search' } })
  contents = {}
  const after = await runExperiment(suite)
  expect(await explain(before, after)).toMatchObject({
    regressed: 3,
    data: [
      {
        kind: 'dataset_settings',
        dataset_id: DATASET,
        differences: [{ name: 'retrieval_model.top_k', before: '3', after: '1' }],
        cases: 3,
      },
    ],
  })
  await edit('PATCH', '', { retrieval_model: { top_k: 3 } })
  expect(await explain(before, await runExperiment(suite))).toMatchObject({ data: [], regressed: 3, examined: 3 })
})

it('names parameters of the app that were seen to be others', async () => {
  const suite = await createChatSuite('lasts', '2,000')
  const readParameters = async (opening_statement: string) => {
    const { script } = testConsole.platform
    testConsole.platform.script = (_seen, response) =>
      sendJson(response, 200, { opening_statement, user_input_form: [] })
    await testConsole.json('GET', `/api/keys/${testConsole.keys.chat}/parameters`)
    await vi.waitFor(async () => {
      const data = await testConsole.list<{ payload: object }>('/api/resources?kind=parameters')
      expect(data.map(({ payload }) => payload)).toContainEqual(expect.objectContaining({ opening_statement }))
    })
    testConsole.platform.script = script
  }
  await readParameters('Hello')
  const before = await runExperiment(suite)
  await readParameters('Good day')
  contents = {}
  expect((await explain(before, await runExperiment(suite))).data).toMatchObject([
    { kind: 'app_parameters', differences: [{ name: 'opening_statement', before: '"Hello"', after: '"Good day"' }] },
  ])
})

it('takes the passages of retrieval nodes as what the run of a workflow cited', async () => {
  const suite = await createSuite({
    target: 'workflow',
    checks: [{ type: 'contains', value: 'reset' }],
    cases: [{ input: { inputs: { question: 'counter' } } }],
  })
  const before = await runExperiment(suite)
  await editSegment(RESET, 'The counter of a lamp stays.')
  expect((await explain(before, await runExperiment(suite))).data).toMatchObject([
    { kind: 'segment_edited', segment_id: RESET, document_name: 'Lamps', cases: 1 },
  ])
})

it('shows a person only edits of knowledge in their scope', async () => {
  const suite = await createChatSuite('counter', 'is')
  const before = await runExperiment(suite)
  await editSegment(RESET, 'The counter of a lamp stays.')
  const after = await runExperiment(suite)
  expect((await explain(before, after)).data).toMatchObject([{ kind: 'segment_edited', segment_id: RESET }])
  const { cookie } = await createPerson(testConsole, 'viewer', [[testConsole.workspace, testConsole.keys.chat]])
  const path = `/api/experiments/${after.id}/causes?with=${before.id}`
  const response = await testConsole.fetch('GET', path, undefined, { cookie })
  expect(await response.json()).toMatchObject({
    data: [{ kind: 'segment_changed_unrecorded', call: null, person: null }],
  })
})

it('names another version of the app for every regressed case, and refuses experiments that cannot be compared', async () => {
  const suite = await createChatSuite('2,000', '2,000')
  const before = await runExperiment(suite)
  contents = {}
  const after = await runExperiment(suite, { workflow_id: 'version-2' })
  expect((await explain(before, after)).data).toMatchObject([
    {
      kind: 'app_version',
      call: null,
      differences: [{ name: 'workflow_id', before: null, after: 'version-2' }],
      cases: 1,
    },
  ])
  const refused = await testConsole.fetch('GET', `/api/experiments/${after.id}/causes?with=${after.id}`)
  expect([refused.status, await refused.json()]).toMatchObject([400, { fields: [{ path: 'query.with' }] }])
})
