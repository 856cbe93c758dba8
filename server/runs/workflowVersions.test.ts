import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import type { WorkflowVersion } from '#contract/console/runInsights.ts'
import type { Run } from '#contract/console/runs.ts'
import { openStream, sendError, toEventBlock } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'

const CURRENT = '11111111-1111-4111-8111-111111111111'
const OLDER = '22222222-2222-4222-8222-222222222222'

const bench = TestConsole.forFile()
beforeAll(async () => {
  bench.platform.script = ({ path, body }, response) => {
    const pinned = /\/workflows\/([^/]+)\/run$/.exec(path)?.[1]
    const given = JSON.parse(body || '{}') as { workflow_id?: string; inputs?: { fails?: boolean } }
    const workflow_id = pinned ?? (given.workflow_id || CURRENT)
    if (workflow_id === 'draft')
      return sendError(response, 400, { code: 'bad_request', message: "Invalid workflow_id format: 'draft'. ", status: 400 })
    if (![CURRENT, OLDER].includes(workflow_id))
      return sendError(response, 404, {
        code: 'not_found',
        message: `Workflow not found with id: ${workflow_id}`,
        status: 404,
      })
    const id = randomUUID()
    const event = (name: string, data: object) =>
      toEventBlock({ event: name, workflow_run_id: id, task_id: id, data: { id, workflow_id, ...data } })
    openStream(response)
    const status = given.inputs?.fails ? 'failed' : 'succeeded'
    response.end(event('workflow_started', {}) + event('workflow_finished', { status, error: null, outputs: {} }))
  } // prettier-ignore
})

async function runWorkflow(workflow_id: string | null, inputs: object = {}): Promise<Run> {
  const id = randomUUID()
  const path = `/api/keys/${bench.keys.workflow}/workflows/${workflow_id ? `${workflow_id}/` : ''}run`
  const body = { inputs, user: 'me', response_mode: 'streaming' }
  await (await bench.fetch('POST', path, body, { 'run-id': id })).text()
  return bench.json<Run>('GET', `/api/runs/${id}`)
}
const listVersions = async (key: string) => await bench.list<WorkflowVersion>(`/api/versions?key=${key}`)

it('a run names the version that ran, and the one that it was pinned to', async () => {
  const entry = 'workflows.run'
  expect(await runWorkflow(null)).toMatchObject({ entry, workflow_id: CURRENT, pinned_workflow_id: null })
  expect(await runWorkflow(OLDER)).toMatchObject({ entry, workflow_id: OLDER, pinned_workflow_id: OLDER })
  const listed = await bench.json<{ data: Run[] }>('GET', `/api/runs?key=${bench.keys.workflow}`)
  expect(listed.data.map(({ workflow_id }) => workflow_id)).toEqual([OLDER, CURRENT])
})

it('the versions of an app are listed with their runs and failures, the last used first', async () => {
  await runWorkflow(OLDER, { fails: true })
  const versions = await listVersions(bench.keys.workflow)
  expect(versions).toMatchObject([
    { workflow_id: OLDER, runs: 2, failed: 1 },
    { workflow_id: CURRENT, runs: 1, failed: 0 },
  ])
  expect(Date.parse(versions[0]?.first_seen ?? '')).toBeLessThan(Date.parse(versions[0]?.last_seen ?? ''))
  expect(await listVersions(bench.keys.chat)).toEqual([])
})

it('a chatflow is pinned by its body', async () => {
  const id = randomUUID()
  await (await bench.ask({ workflow_id: OLDER, response_mode: 'streaming' }, { 'run-id': id })).text()
  const run = await bench.json<Run>('GET', `/api/runs/${id}`)
  expect(run).toMatchObject({ entry: 'chat.send', workflow_id: OLDER, pinned_workflow_id: OLDER })
  expect(await listVersions(bench.keys.chat)).toMatchObject([{ workflow_id: OLDER, runs: 1 }])
})

it('the rows of a batch run on its version, which is for workflows only', async () => {
  const settings = { user: 'me', workflow_id: OLDER }
  const given = { kind: 'run', name: 'On a version', total: 2, settings }
  const { id } = await bench.json<Batch>('POST', '/api/batches', { ...given, key: bench.keys.workflow })
  const rows = [{ inputs: { topic: 'a' } }, { inputs: { topic: 'b' } }]
  await bench.json('POST', `/api/batches/${id}/rows`, { first: 1, rows })
  await bench.json('POST', `/api/batches/${id}/start`, {})
  await expect
    .poll(async () => (await bench.json<Batch>('GET', `/api/batches/${id}`)).counts)
    .toMatchObject({ succeeded: 2 })
  const listed = await bench.json<{ data: Run[] }>('GET', `/api/runs?key=${bench.keys.workflow}&limit=2`)
  expect(listed.data).toMatchObject([{ pinned_workflow_id: OLDER }, { pinned_workflow_id: OLDER }])
  const refused = await bench.fetch('POST', '/api/batches', { ...given, key: bench.keys.completion })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('body.settings.workflow_id')])
})
