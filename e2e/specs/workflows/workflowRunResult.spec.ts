import { createFullRun, RunScript } from '#support/platforms/workflowPlatform.ts'
import { expect, findTimelineRow, clickRun, test } from '#support/workflowFixtures.ts'

test('a run of branches, rounds, retries and logs is shown as it was, then beside one that failed', async ({
  signedInPage,
  workflowFixture,
}) => {
  workflowFixture.app.nextRun = () => ({
    frames: createFullRun().addNode('end', 'End', { at: 11 }).addEnd('partial-succeeded', { exceptions_count: 1 })
      .frames,
  })
  await signedInPage.setViewportSize({ width: 1600, height: 900 })
  await signedInPage.goto(workflowFixture.url)
  await signedInPage.getByRole('textbox', { name: 'Topic' }).fill('tea')
  await clickRun(signedInPage)
  await expect(signedInPage.getByText('partial-succeeded').first()).toBeVisible()
  await expect(findTimelineRow(signedInPage, 'Round 1')).toBeVisible()
  await expect(findTimelineRow(signedInPage, 'Try')).toHaveCount(2)
  await expect(findTimelineRow(signedInPage, 'Right branch')).toContainText('exception')
  await expect(findTimelineRow(signedInPage, 'Draft').getByTitle('retry')).toHaveCount(1)
  const marks = signedInPage.getByRole('columnheader', { name: 'Time' })
  await expect(marks).toContainText('10 s')
  await signedInPage.getByRole('button', { name: 'Hide idle time' }).click()
  await expect(marks).not.toContainText('10 s')
  await findTimelineRow(signedInPage, 'Draft').getByRole('button').click()
  await signedInPage.getByRole('tab', { name: 'Agent logs' }).click()
  await expect(signedInPage.getByText('ROUND 1', { exact: true })).toBeVisible()

  await signedInPage.getByText('Graph', { exact: true }).click()
  const graph = signedInPage.getByRole('region', { name: 'Graph' })
  await expect(graph.getByRole('button', { name: /Try/ })).toContainText('2 times')
  await graph.getByRole('button', { name: /Right branch/ }).press('Enter')
  await expect(signedInPage.getByRole('region', { name: 'Platform message' })).toContainText('Off by one.')
  await expect(graph).toContainText('only the start order is known')
  await signedInPage.getByText('Timeline', { exact: true }).first().click()

  const failing = new RunScript().addStart().addNode('start', 'Start', { took: 0.1 })
  const error = 'Prompt is 132418 tokens.'
  failing.addNode('llm', 'Draft', {
    node_type: 'llm',
    took: 4,
    status: 'failed',
    error,
    inputs: { prompt: 'Write of coffee.' },
  })
  workflowFixture.app.nextRun = () => ({ frames: failing.addEnd('failed', { error, outputs: null }).frames })
  await signedInPage.getByRole('link', { name: 'Open run' }).click()
  await signedInPage.getByRole('link', { name: 'Replay with edits' }).click()
  await signedInPage.getByRole('textbox', { name: 'Topic' }).fill('coffee')
  await signedInPage.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(findTimelineRow(signedInPage, 'Draft')).toContainText('failed')
  await signedInPage.getByRole('switch', { name: /^Nodes seen in other runs/ }).click()
  await expect(findTimelineRow(signedInPage, 'End')).toContainText('not reached')
  await findTimelineRow(signedInPage, 'Draft').getByRole('button').click()
  await signedInPage.getByRole('tab', { name: 'Diff to parent' }).click()
  await expect(signedInPage.getByRole('list', { name: 'Inputs' })).toContainText('Write of coffee.')
  await signedInPage.getByRole('link', { name: 'Compare full runs' }).click()
  const nodes = signedInPage.getByRole('table', { name: 'Nodes' })
  await expect(nodes.getByRole('row', { name: /^Draft/ })).toContainText('failed')
  await expect(nodes.getByRole('row', { name: /^End/ })).toContainText('removed')

  await signedInPage.goto(`${workflowFixture.url}&pane=history&of=failures`)
  const failures = signedInPage.getByRole('list', { name: 'Failures' })
  await expect(failures).toContainText('Draft')
  await failures.getByText(error).click()
  await failures.getByRole('link', { name: 'coffee' }).click()
  await expect(findTimelineRow(signedInPage, 'Draft')).toContainText('failed')
  await signedInPage.getByRole('radiogroup', { name: 'Section of the history' }).getByText('Runs').click()
  const history = signedInPage.getByRole('list', { name: 'History' })
  await expect(history.getByRole('link')).toHaveCount(2)
  await signedInPage.getByRole('combobox', { name: 'State' }).selectOption('failed')
  await expect(history.getByRole('link')).toHaveText([/coffee/])
  await signedInPage.getByRole('searchbox', { name: 'Search requests and answers' }).fill('132418')
  await expect(signedInPage).toHaveURL(/q=132418/)
  await expect(history.getByRole('link')).toHaveText([/coffee/])
})

test('a run that began elsewhere is read by its id, kept, and found again', async ({
  signedInPage,
  loupe,
  workflowFixture,
}) => {
  const { app, workspace } = workflowFixture
  const other = new RunScript()
  await signedInPage.goto(`${workflowFixture.url}&pane=history`)
  await signedInPage.getByText('Load a run by its id').click()
  const read = async (id: string) => {
    await signedInPage.getByRole('textbox', { name: 'workflow_run_id' }).fill(id)
    await signedInPage.getByRole('button', { name: 'Load run' }).click()
  }
  await read(other.id)
  await expect(
    signedInPage.getByText('The platform has no run with this id, or it belongs to another app.'),
  ).toBeVisible()
  app.runDetails.set(other.id, { id: null, workflow_id: null, status: null, inputs: null, outputs: null })
  await read(other.id)
  await expect(
    signedInPage.getByText('The platform returned an empty record: this app has no run with this id.'),
  ).toBeVisible()
  app.runDetails.set(other.id, { status: 400, body: { code: 'not_workflow_app', message: 'Wrong mode.' } })
  await read(other.id)
  await expect(
    signedInPage.getByText('The platform reports that this key does not belong to a workflow app.'),
  ).toBeVisible()
  app.runDetails.set(other.id, other.toRunDetail('succeeded', { inputs: '{"topic":"a far cup"}' }))
  await read(other.id)
  await expect(signedInPage).toHaveURL(/\/runs\/[0-9a-f-]{36}/)
  const kept = new URL(signedInPage.url()).pathname
  await expect(signedInPage.getByText('This run was started outside this console.')).toBeVisible()
  await expect(signedInPage.getByTitle('workflow_run_id of the platform')).toContainText(other.id)
  await signedInPage.getByRole('tab', { name: 'Inputs' }).click()
  await expect(signedInPage.getByRole('region', { name: 'Inputs' }).first()).toContainText('a far cup')
  await signedInPage.goto(`${loupe.url}/runs/${other.id}?workspace=${workspace}`)
  await expect(signedInPage).toHaveURL(new RegExp(kept))
  await signedInPage.goto(`${workflowFixture.url}&pane=history`)
  await expect(signedInPage.getByRole('link', { name: 'a far cup' })).toBeVisible()
})
