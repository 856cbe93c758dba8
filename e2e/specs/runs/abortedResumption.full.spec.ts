import type { Page } from '@playwright/test'
import { clickRun, expect, test } from '#support/workflowFixtures.ts'
import { FormPlatform } from '#support/platforms/formPlatform.ts'

const findForm = (page: Page) => page.getByRole('region', { name: 'Form: Ask a person' })

test('a release that aborts answered runs is named before and after, and the answer can wait for the hour', async ({
  signedInPage: page,
  formApp: { app, url },
  faultyWorkspace: { platform },
}) => {
  app.release = '1.16.1'
  await page.goto(url)
  await clickRun(page)
  const form = findForm(page)
  await expect(form.getByRole('note')).toContainText(/may abort a run .* That hour ends at \d\d:\d\d\./)
  await form.getByRole('combobox', { name: 'tone' }).selectOption('plain')
  await form.getByRole('button', { name: 'Approve' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'The platform aborted the run after its form' })
  await expect(alert).toContainText('Your answer was accepted; steps after the form may have run.')
  await expect(alert).toContainText('Client response stream closed')
  await expect(page.getByRole('region', { name: 'Outputs' }).first()).toContainText('fine')

  const next = new FormPlatform()
  next.release = '1.16.1'
  platform.script = next.script
  await page.goto(url)
  await clickRun(page)
  await expect(form.getByRole('note')).toContainText(/aborts this run if it is answered before \d\d:\d\d/)
  await form.getByRole('textbox', { name: 'comment' }).fill('Well done.')
  await form.getByRole('combobox', { name: 'tone' }).selectOption('warm')
  await form.getByRole('checkbox', { name: /Send the answer at \d\d:\d\d/ }).check()
  await form.getByRole('button', { name: 'Approve' }).click()
  await expect(form).toContainText(/has answered: Approve\. Loupe sends it at \d\d:\d\d\./)
  await page.reload()
  await expect(form).toContainText(/Loupe sends it at \d\d:\d\d\./)
  await expect(form.getByRole('definition').filter({ hasText: 'Well done.' })).toBeVisible()
  await form.getByRole('button', { name: 'Cancel the scheduled answer' }).click()
  await expect(form.getByRole('textbox', { name: 'comment' })).toHaveValue('Well done.')
  await expect(form.getByRole('button', { name: 'Approve' })).toBeEnabled()
  expect(next.answers).toEqual([])
})
