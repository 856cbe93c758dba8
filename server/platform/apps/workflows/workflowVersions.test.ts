import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { EARLIER_VERSIONS, EXAMPLE_CHATFLOWS, EXAMPLE_WORKFLOWS } from '../../workflow/exampleWorkflows.ts'
import { createHit, joinAnswer } from '../apps.fixture.ts'
import { getDraftId } from '../appCatalogue.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve } = setupApps()
const TEA = [createHit(1, 'Green tea is steeped at 80 degrees.')]
const RUN = { inputs: { query: 'How is green tea steeped?' }, user: 'ada' }
const QUESTION = { inputs: {}, query: 'How is green tea steeped?', user: 'ada' }

const idOf = (versions: typeof EARLIER_VERSIONS, app: string) =>
  versions.find(({ id }) => id === app)?.workflow_id ?? ''
const EARLIER_WORKFLOW = idOf(EARLIER_VERSIONS, 'workflow')
const CURRENT_WORKFLOW = idOf(EXAMPLE_WORKFLOWS, 'workflow')
const EARLIER_CHATFLOW = idOf(EARLIER_VERSIONS, 'chatflow')
const CURRENT_CHATFLOW = idOf(EXAMPLE_CHATFLOWS, 'chatflow')

const refused = (status: number, code: string, message: string) => ({ status, body: { code, message, status } })

test('a run of a version runs that one, and its record names it', async () => {
  const platform = await serve({ find: () => TEA })
  for (const [workflow_id, outputs] of [
    [EARLIER_WORKFLOW, ['answer']],
    [CURRENT_WORKFLOW, ['answer', 'sources']],
  ] as const) {
    const events = await platform.stream('workflow', `/workflows/${workflow_id}/run`, RUN)
    expect(events.map(({ event }) => event).slice(0, 2)).toEqual(['ping', 'workflow_started'])
    const { data } = events.at(-1) as unknown as { data: { id: string; outputs: object } }
    expect(data).toMatchObject({ workflow_id, status: 'succeeded' })
    expect(Object.keys(data.outputs).toSorted()).toEqual(outputs)
    const { body } = await platform.call('workflow', 'GET', `/workflows/run/${data.id}`)
    expect(body).toMatchObject({ workflow_id })
  }
  const { body } = await platform.call('workflow', 'POST', `/workflows/${EARLIER_WORKFLOW}/run`, RUN)
  expect(body['data']).toMatchObject({ workflow_id: EARLIER_WORKFLOW, status: 'succeeded' })
})

test('a version has to be a published one of the application', async () => {
  const platform = await serve({ find: () => TEA })
  const run = (workflow_id: string, app = 'workflow') =>
    platform.call(app, 'POST', `/workflows/${workflow_id}/run`, { ...RUN, response_mode: 'streaming' })
  const draft = getDraftId('workflow')
  expect(await run(EARLIER_WORKFLOW, 'workflow-approval')).toEqual(
    refused(404, 'not_found', `Workflow not found with id: ${EARLIER_WORKFLOW}`),
  )
  expect(await run('draft')).toEqual(refused(400, 'bad_request', "Invalid workflow_id format: 'draft'. "))
  const message = `Cannot use draft workflow version. Workflow ID: ${draft}. Please use a published workflow version or leave workflow_id empty.`
  expect(await run(draft)).toEqual(refused(400, 'bad_request', message))
  expect(await run(EARLIER_WORKFLOW, 'chat')).toMatchObject({ status: 400, body: { code: 'not_workflow_app' } })
})

test('a question to a chatflow can name a version; a plain chat ignores it', async () => {
  const platform = await serve({ find: () => TEA })
  const events = await platform.stream('chatflow', '/chat-messages', { ...QUESTION, workflow_id: EARLIER_CHATFLOW })
  expect(events.at(-1)).toMatchObject({
    event: 'workflow_finished',
    data: { workflow_id: EARLIER_CHATFLOW, status: 'succeeded' },
  })
  expect(joinAnswer(events)).toBe('Green tea is steeped at 80 degrees. [1]')
  expect(events.filter(({ event }) => event === 'message').length).toBeGreaterThan(1)
  for (const workflow_id of ['', CURRENT_CHATFLOW, null]) {
    const current = await platform.stream('chatflow', '/chat-messages', { ...QUESTION, workflow_id })
    expect(current.at(-1)).toMatchObject({ event: 'workflow_paused' })
  }
  const ask = (app: string, workflow_id: string) => platform.ask(app, { ...QUESTION, workflow_id })
  const unknown = randomUUID()
  expect(await ask('chatflow', unknown)).toEqual(refused(404, 'not_found', `Workflow not found with id: ${unknown}`))
  expect(await ask('chatflow', 'draft')).toEqual(refused(400, 'bad_request', "Invalid workflow_id format: 'draft'. "))
  expect(await ask('chat', unknown)).toMatchObject({ status: 200, body: { mode: 'chat' } })
  expect(await ask('chatflow', EARLIER_CHATFLOW)).toMatchObject({
    status: 200,
    body: { event: 'message', mode: 'advanced-chat', answer: 'Green tea is steeped at 80 degrees. [1]' },
  })
})
