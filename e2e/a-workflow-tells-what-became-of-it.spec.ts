import { everything, Story } from './faults/workflow.ts'
import { expect, line, run, test } from './workflows.ts'

test('a run of branches, rounds, retries and logs is shown as it was, then beside one that failed', async ({
  desk,
  played,
}) => {
  played.app.play = () => ({
    frames: everything().node('end', 'End', { at: 11 }).end('partial-succeeded', { exceptions_count: 1 }).frames,
  })
  await desk.setViewportSize({ width: 1600, height: 900 })
  await desk.goto(played.url)
  await desk.getByRole('textbox', { name: 'Topic' }).fill('tea')
  await run(desk)
  await expect(desk.getByText('partial-succeeded').first()).toBeVisible()
  await expect(line(desk, 'Round 1')).toBeVisible()
  await expect(line(desk, 'Try')).toHaveCount(2)
  await expect(line(desk, 'Right branch')).toContainText('exception')
  await expect(line(desk, 'Draft').getByTitle('retry')).toHaveCount(1)
  const marks = desk.getByRole('columnheader', { name: 'Time' })
  await expect(marks).toContainText('10 s')
  await desk.getByRole('button', { name: 'Leave out the time in which no node was at work' }).click()
  await expect(marks).not.toContainText('10 s')
  await line(desk, 'Draft').getByRole('button').click()
  await desk.getByRole('tab', { name: 'Agent logs' }).click()
  await expect(desk.getByText('ROUND 1', { exact: true })).toBeVisible()

  await desk.getByText('Graph', { exact: true }).click()
  const graph = desk.getByRole('region', { name: 'Graph' })
  await expect(graph.getByRole('button', { name: /Try/ })).toContainText('2 times')
  await graph.getByRole('button', { name: /Right branch/ }).press('Enter')
  await expect(desk.getByRole('region', { name: 'What the platform said' })).toContainText('Off by one.')
  await expect(graph).toContainText('only the order in which the nodes began is known')
  await desk.getByText('Timeline', { exact: true }).first().click()

  const failing = new Story().begin().node('start', 'Start', { took: 0.1 })
  const error = 'Prompt is 132418 tokens.'
  failing.node('llm', 'Draft', {
    node_type: 'llm',
    took: 4,
    status: 'failed',
    error,
    inputs: { prompt: 'Write of coffee.' },
  })
  played.app.play = () => ({ frames: failing.end('failed', { error, outputs: null }).frames })
  await desk.getByRole('link', { name: 'Open the run' }).click()
  await desk.getByRole('link', { name: 'Replay with edits' }).click()
  await desk.getByRole('textbox', { name: 'Topic' }).fill('coffee')
  await desk.getByRole('button', { name: 'Send' }).click()
  await expect(line(desk, 'Draft')).toContainText('failed')
  await expect(line(desk, 'End')).toContainText('not reached')
  await line(desk, 'Draft').getByRole('button').click()
  await desk.getByRole('tab', { name: 'Diff to parent' }).click()
  await expect(desk.getByRole('list', { name: 'Inputs' })).toContainText('Write of coffee.')
  await desk.getByRole('link', { name: 'Compare the whole runs' }).click()
  const nodes = desk.getByRole('table', { name: 'Nodes' })
  await expect(nodes.getByRole('row', { name: /^Draft/ })).toContainText('failed')
  await expect(nodes.getByRole('row', { name: /^End/ })).toContainText('gone')

  await desk.goto(`${played.url}&pane=history&of=failures`)
  const failures = desk.getByRole('list', { name: 'Failures' })
  await expect(failures).toContainText('Draft')
  await failures.getByText(error).click()
  await failures.getByRole('link', { name: 'coffee' }).click()
  await expect(line(desk, 'Draft')).toContainText('failed')
  await desk.getByRole('radiogroup', { name: 'Part of the history' }).getByText('Runs').click()
  const history = desk.getByRole('list', { name: 'History' })
  await expect(history.getByRole('link')).toHaveCount(2)
  await desk.getByRole('combobox', { name: 'State' }).selectOption('failed')
  await expect(history.getByRole('link')).toHaveText([/coffee/])
  await desk.getByRole('searchbox', { name: 'Words sent or received' }).fill('132418')
  await expect(desk).toHaveURL(/q=132418/)
  await expect(history.getByRole('link')).toHaveText([/coffee/])
})

test('a run that does not say its end is asked of the platform, and what it says is marked as that', async ({
  desk,
  played,
}) => {
  const { app } = played
  const cut = new Story().begin().node('start', 'Start')
  app.details.set(cut.id, cut.detail('running', { outputs: null, finished_at: null }))
  app.play = () => ({ frames: cut.frames, stop: 'breaks' })
  await desk.goto(played.url)
  await desk.getByRole('textbox', { name: 'Topic' }).fill('tea')
  await run(desk)
  const ask = desk.getByRole('button', { name: 'Ask the platform' })
  await expect(ask).toBeVisible()
  app.details.set(cut.id, cut.detail('succeeded'))
  await ask.click()
  await expect(desk.getByText('The run itself did not say how it ended.')).toBeVisible()
  await expect(desk.getByRole('region', { name: 'Outputs' }).first()).toContainText('Green.')
  await expect(ask).toHaveCount(0)

  const asked = new Story().begin().node('start', 'Start')
  app.details.set(asked.id, asked.detail('succeeded', { outputs: { text: 'Blue.' } }))
  app.play = () => ({ frames: asked.frames, stop: 'breaks' })
  await run(desk)
  await expect(desk.getByText('The run itself did not say how it ended.')).toBeVisible()
  await expect(desk.getByRole('region', { name: 'Outputs' }).first()).toContainText('Blue.')

  const paused = new Story().begin().node('form', 'Ask a person', { status: 'paused' })
  paused.say('human_input_required', { form_id: 'f', node_id: 'form', form_content: 'May it go on?' })
  paused.say('workflow_paused', {
    status: 'paused',
    reasons: [{ TYPE: 'human_input_required' }],
    paused_nodes: ['form'],
  })
  app.play = () => ({ frames: paused.frames })
  await run(desk)
  await expect(desk.getByText('The workflow waits at the platform for a person.')).toBeVisible()
  await expect(desk.getByText('human_input_required').first()).toBeVisible()

  const lost = new Story()
  app.play = () => ({ refusal: { status: 504, body: 'Gateway Time-out' } })
  await desk.getByText('blocking', { exact: true }).click()
  await run(desk)
  await expect(desk.getByText('It may have finished and been charged.')).toBeVisible()
  await ask.click()
  const id = desk.getByRole('textbox', { name: 'workflow_run_id' })
  await id.fill('no id')
  await desk.getByRole('button', { name: 'Ask for it' }).click()
  await expect(desk.getByText('An id in the form of a UUID.')).toBeVisible()
  await id.fill(lost.id)
  await desk.getByRole('button', { name: 'Ask for it' }).click()
  await expect(desk.getByText('The platform knows no run with this id.')).toBeVisible()
  app.details.set(lost.id, lost.detail('failed', { error: 'No such file.', outputs: null }))
  await desk.getByRole('button', { name: 'Ask for it' }).click()
  await expect(desk.getByText('The run itself did not say how it ended.')).toBeVisible()
  await expect(desk.getByText('No such file.').first()).toBeVisible()
})

test('a run that began elsewhere is read by its id, kept, and found again; what is refused says why', async ({
  desk,
  loupe,
  played,
}) => {
  const { app, workspace } = played
  const other = new Story()
  await desk.goto(`${played.url}&pane=history`)
  await desk.getByText('Began elsewhere? Read it by its id.').click()
  const read = async (id: string) => {
    await desk.getByRole('textbox', { name: 'workflow_run_id' }).fill(id)
    await desk.getByRole('button', { name: 'Read the run' }).click()
  }
  await read(other.id)
  await expect(desk.getByText('The platform knows no run with this id, or it belongs to another app.')).toBeVisible()
  app.details.set(other.id, { id: null, workflow_id: null, status: null, inputs: null, outputs: null })
  await read(other.id)
  await expect(desk.getByText('The platform answered with an empty record')).toBeVisible()
  app.details.set(other.id, { status: 400, body: { code: 'not_workflow_app', message: 'Wrong mode.' } })
  await read(other.id)
  await expect(desk.getByText('The platform says that this key is of no workflow app.')).toBeVisible()
  app.details.set(other.id, other.detail('succeeded', { inputs: '{"topic":"a far cup"}' }))
  await read(other.id)
  await expect(desk).toHaveURL(/\/runs\/[0-9a-f-]{36}/)
  const kept = new URL(desk.url()).pathname
  await expect(desk.getByText('This run began elsewhere.')).toBeVisible()
  await expect(desk.getByRole('region', { name: 'Inputs' }).first()).toContainText('a far cup')
  await desk.goto(`${loupe.url}/runs/${other.id}?workspace=${workspace}`)
  await expect(desk).toHaveURL(new RegExp(kept))
  await desk.goto(`${played.url}&pane=history`)
  await expect(desk.getByRole('link', { name: 'a far cup' })).toBeVisible()

  await desk.goto(played.url)
  await run(desk)
  await expect(desk.getByText('Topic is required.')).toBeVisible()
  await desk.getByRole('textbox', { name: 'Topic' }).fill('tea')
  await desk.getByText('JSON', { exact: true }).first().click()
  const json = desk.getByRole('textbox', { name: 'Inputs as JSON' })
  const picture = { type: 'document', transfer_method: 'remote_url', url: 'https://pictures.example/a.pdf' }
  await json.fill(JSON.stringify({ topic: 'tea', tone: 'shrill', picture }))
  await run(desk)
  await expect(desk.getByText('Tone is one of: plain, grand.')).toBeVisible()
  await expect(desk.getByText('Picture takes no file of type document. It takes: image.')).toBeVisible()
  await json.fill(JSON.stringify({ topic: 'tea', tone: 'grand' }))
  app.play = () => ({
    refusal: { status: 400, body: { code: 'invalid_param', message: 'Workflow not published.', status: 400 } },
  })
  await run(desk)
  await expect(desk.getByText('Workflow not published.', { exact: true })).toBeVisible()
  app.play = () => ({ refusal: { status: 400, body: { code: 'not_workflow_app', message: 'Check your app mode.' } } })
  await desk.getByRole('button', { name: 'Send again' }).click()
  await expect(desk.getByText('Check your app mode.', { exact: true })).toBeVisible()
})
