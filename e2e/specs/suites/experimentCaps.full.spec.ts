import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'
import {
  createAnswerIds,
  openStream,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'

test('an experiment tries three rows first, stops at its cap by price, and goes on without it', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace,
}) => {
  faultyWorkspace.platform.script = ({ method }, response) => {
    if (method !== 'POST') return sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
    const ids = createAnswerIds()
    openStream(response)
    response.write(toMessageBlock(ids, 'Soon.'))
    const usage = { total_tokens: 10, total_price: '0.01', currency: 'USD' }
    response.end(toMessageEndBlock(ids, { usage }))
  }
  const reply = await page.request.post(`${loupe.url}/api/suites`, {
    headers: { 'x-console': '1' },
    data: {
      workspace: faultyWorkspace.id,
      name: 'Capped',
      target: 'chat',
      about: faultyWorkspace.chatKey,
      checks: [{ type: 'contains', value: 'Soon' }],
      cases: ['One?', 'Two?', 'Three?', 'Four?'].map((query) => ({ input: { query } })),
    },
  })
  const { id } = (await reply.json()) as { id: string }
  await page.goto(`${loupe.url}/suites/${id}?workspace=${faultyWorkspace.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Run with settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run with settings' })
  await dialog.getByRole('textbox', { name: 'Repetitions' }).fill('2')
  await dialog.getByRole('textbox', { name: 'Pause at price' }).fill('0.06')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Try three cases' }).click()
  await expect(dialog).toBeHidden()
  const experiment = page.getByRole('region', { name: 'Experiment' })
  await expect(experiment).toContainText('3 of 8 done')
  await experiment.getByRole('button', { name: 'Run remaining rows' }).click()
  await expect(experiment).toContainText('Paused: the next row would exceed a price of 0.06.')
  await expect(experiment).toContainText('6 of 8 done')
  await expectAccessible(page)
  await experiment.getByRole('button', { name: 'Resume without limit' }).click()
  await expect(experiment).toContainText('8 of 8 done')
  await expect(experiment.getByRole('button', { name: 'passed 8' })).toBeVisible()
})
