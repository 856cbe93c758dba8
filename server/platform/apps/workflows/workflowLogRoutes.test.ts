import { expect, test } from 'vitest'
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
    error: 'The platform was stopped during this run.',
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
