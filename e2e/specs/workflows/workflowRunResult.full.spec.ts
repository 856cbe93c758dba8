import { RunScript } from '#support/platforms/workflowPlatform.ts'
import { expect, clickRun, test } from '#support/workflowFixtures.ts'

test('a run that does not say its end is asked of the platform, and what it says is marked as that', async ({
  signedInPage,
  workflowFixture,
}) => {
  const { app } = workflowFixture
  const cut = new RunScript().addStart().addNode('start', 'Start')
  app.runDetails.set(cut.id, cut.toRunDetail('running', { outputs: null, finished_at: null }))
  app.nextRun = () => ({ frames: cut.frames, stop: 'breaks' })
  await signedInPage.goto(workflowFixture.url)
  await signedInPage.getByRole('textbox', { name: 'Topic' }).fill('tea')
  await clickRun(signedInPage)
  const ask = signedInPage.getByRole('button', { name: 'Ask the platform' })
  await expect(ask).toBeVisible()
  app.runDetails.set(cut.id, cut.toRunDetail('succeeded'))
  await ask.click()
  await expect(signedInPage.getByText('The call ended without a complete result.')).toBeVisible()
  await expect(signedInPage.getByRole('region', { name: 'Outputs' }).first()).toContainText('Green.')
  await expect(ask).toHaveCount(0)

  const asked = new RunScript().addStart().addNode('start', 'Start')
  app.runDetails.set(asked.id, asked.toRunDetail('succeeded', { outputs: { text: 'Blue.' } }))
  app.nextRun = () => ({ frames: asked.frames, stop: 'breaks' })
  await clickRun(signedInPage)
  await expect(signedInPage.getByText('The call ended without a complete result.')).toBeVisible()
  await expect(signedInPage.getByRole('region', { name: 'Outputs' }).first()).toContainText('Blue.')

  const paused = new RunScript().addStart().addNode('form', 'Ask a person', { status: 'paused' })
  paused.addEvent('human_input_required', { form_id: 'f', node_id: 'form', form_content: 'May it go on?' })
  paused.addEvent('workflow_paused', {
    status: 'paused',
    reasons: [{ TYPE: 'human_input_required' }],
    paused_nodes: ['form'],
  })
  app.nextRun = () => ({ frames: paused.frames })
  await clickRun(signedInPage)
  await expect(
    signedInPage.getByText(
      'The workflow is paused on the platform and waits for a person. What was received is saved.',
    ),
  ).toBeVisible()
  const form = signedInPage.getByRole('region', { name: 'Form: form' })
  await expect(form).toContainText('May it go on?')
  await expect(form).toContainText('This form waits for an e-mail answer and cannot be answered here.')

  const lost = new RunScript()
  app.nextRun = () => ({ refusal: { status: 504, body: 'Gateway Time-out' } })
  await signedInPage.getByText('blocking', { exact: true }).click()
  await clickRun(signedInPage)
  await expect(signedInPage.getByText('It may have finished and been charged.')).toBeVisible()
  await ask.click()
  const id = signedInPage.getByRole('textbox', { name: 'workflow_run_id' })
  await id.fill('no id')
  await signedInPage.getByRole('button', { name: 'Load run' }).click()
  await expect(signedInPage.getByText('Must be a UUID.')).toBeVisible()
  await id.fill(lost.id)
  await signedInPage.getByRole('button', { name: 'Load run' }).click()
  await expect(signedInPage.getByText('The platform has no run with this id.')).toBeVisible()
  app.runDetails.set(lost.id, lost.toRunDetail('failed', { error: 'No such file.', outputs: null }))
  await signedInPage.getByRole('button', { name: 'Load run' }).click()
  await expect(signedInPage.getByText('The call ended without a complete result.')).toBeVisible()
  await expect(signedInPage.getByText('No such file.').first()).toBeVisible()
})
