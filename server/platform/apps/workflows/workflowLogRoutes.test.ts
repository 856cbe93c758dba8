import { expect, test } from 'vitest'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { createHit } from '../apps.fixture.ts'
import { workflowRuns } from '../schema.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve, database } = setupApps()
const RUN = '/workflows/run'

test('a run that was cut off by the end of the process is failed at the next start', async () => {
  const id = '88888888-8888-4888-8888-888888888888'
  await database().db.insert(workflowRuns).values({
    id,
    app: 'workflow',
    workflow_id: id,
    version: '1',
    task_id: id,
    end_user: 'ada',
    inputs: {},
    status: 'running',
    created_at: new Date(),
  })
  const platform = await serve()
  expect((await platform.call('workflow', 'GET', `${RUN}/${id}`)).body).toMatchObject({
    status: 'failed',
    error: 'The platform was stopped in the middle of this run.',
  })
})

test('the log lists runs, by status, user, word and time', async () => {
  const platform = await serve()
  for (const [user, fail] of [
    ['eve', true],
    ['eve', false],
    ['dan', false],
  ] as const)
    await platform.call('workflow-inspect', 'POST', RUN, {
      inputs: { fail, text: `by ${user}%` },
      user,
      response_mode: 'blocking',
    })
  const log = async (query: string) => (await platform.call('workflow-inspect', 'GET', `/workflows/logs?${query}`)).body
  const all = await log('created_by_end_user_session_id=eve')
  expect(all).toMatchObject({
    total: 2,
    page: 1,
    limit: 20,
    has_more: false,
    data: [
      {
        workflow_run: { status: 'succeeded', triggered_from: 'app-run', exceptions_count: 0, version: '1' },
        created_by_role: 'end_user',
        created_by_end_user: { session_id: 'eve' },
      },
      { workflow_run: { status: 'failed' } },
    ],
  })
  expect(await log('status=failed&keyword=' + encodeURIComponent('by eve%'))).toMatchObject({ total: 1 })
  expect(await log('keyword=nothing+like+it')).toMatchObject({ total: 0, data: [] })
  expect(await log('created_at__after=2100-01-01T00:00:00Z')).toMatchObject({ total: 0 })
  expect(await log('created_by_account=a@b.c')).toMatchObject({ total: 0 })
  for (const time of ['yesterday', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00'])
    expect(await log(`created_at__before=${time}`)).toMatchObject({ code: 'invalid_param' })
  expect((await platform.call('chat', 'GET', '/workflows/logs')).status).toBe(400)
})

test('the console folds a run as it was', async () => {
  const platform = await serve({ find: () => [createHit(1, 'Green tea is steeped at 80 degrees.')] })
  const events = await platform.stream('workflow', RUN, { inputs: { query: 'How is green tea steeped?' }, user: 'ada' })
  const run = events.reduce(foldRun, emptyRun)
  expect(run).toMatchObject({
    status: 'succeeded',
    ended: true,
    total_steps: 5,
    text: 'Green tea is steeped at 80 degrees. [1]',
    unknown: [],
    late: 0,
  })
  expect(run.nodes.map(({ node_id, status }) => [node_id, status])).toEqual(
    ['start', 'retrieve', 'found', 'answer', 'end_found'].map((id) => [id, 'succeeded']),
  )
})

test.each([
  ['workflow', { user: 'ada' }, /^inputs /],
  ['workflow', { inputs: {}, user: 'ada' }, /^inputs\.query is required$/],
  ['workflow', { inputs: { query: 'x', sentences: 'many' }, user: 'ada' }, /^inputs\.sentences must be a number$/],
  ['workflow', { inputs: { query: 'x' } }, /^user is required$/],
  ['workflow-digest', { inputs: { files: {} }, user: 'ada' }, /^inputs\.files must be a list of file objects$/],
  ['workflow-digest', { inputs: { files: [] }, user: 'ada' }, /^inputs\.files is required$/],
  ['workflow-inspect', { inputs: { attachment: [] }, user: 'ada' }, /^inputs\.attachment must be one file object$/],
  ['workflow-inspect', { inputs: { settings: '{}' }, user: 'ada' }, /^inputs\.settings must be an object$/],
  ['workflow-inspect', { inputs: { form: 'poem' }, user: 'ada' }, /^inputs\.form must be one of report, table$/],
])('%s: what is wrong with %j is named', async (app, body, message) => {
  const platform = await serve()
  expect(await platform.call(app, 'POST', RUN, body)).toEqual({
    status: 400,
    body: { code: 'invalid_param', message: expect.stringMatching(message), status: 400 },
  })
})
