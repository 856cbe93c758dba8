import { expect, test } from '#support/fixtures.ts'
import { findTimelineRow, openWorkflowApp } from '#support/workflowFixtures.ts'

test('a person sees which node failed, and reads first what the platform said of it', async ({
  signedInPage,
  loupe,
}) => {
  await openWorkflowApp(signedInPage, loupe.url, 'Inspect the inputs')
  await signedInPage.getByRole('checkbox', { name: 'Fail on purpose' }).check()
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(findTimelineRow(signedInPage, 'Read what is no file')).toContainText('failed')
  await findTimelineRow(signedInPage, 'Read what is no file').getByRole('button').click()
  const panel = signedInPage.getByRole('region', { name: 'Platform message' })
  await expect(panel).toContainText('holds true, which is no file')
  await expect(signedInPage).toHaveURL(/node=/)

  await signedInPage.reload()
  await expect(panel).toContainText('which is no file')
  await signedInPage.getByRole('button', { name: 'Close node' }).click()
  await expect(signedInPage.getByRole('tab', { name: /Frames/ })).toBeVisible()
  await expect(signedInPage).not.toHaveURL(/node=/)

  await signedInPage.getByRole('checkbox', { name: 'Fail on purpose' }).uncheck()
  await signedInPage.keyboard.press('Control+Enter')
  await expect(findTimelineRow(signedInPage, 'End with a report')).toContainText('succeeded')
  await signedInPage.getByRole('switch', { name: /^Nodes seen in other runs/ }).click()
  await expect(findTimelineRow(signedInPage, 'Read what is no file')).toContainText('not reached')
})
