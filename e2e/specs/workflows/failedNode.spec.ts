import type { Page } from '@playwright/test'
import { expect, test } from '#support/fixtures.ts'

test('a person sees which node failed, and reads first what the platform said of it', async ({
  signedInPage,
  loupe,
}) => {
  await openApp(signedInPage, loupe.url, 'Inspect the inputs')
  await signedInPage.getByRole('checkbox', { name: 'Fail on purpose' }).check()
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(timelineRow(signedInPage, 'Read what is no file')).toContainText('failed')
  await timelineRow(signedInPage, 'Read what is no file').getByRole('button').click()
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
  await expect(timelineRow(signedInPage, 'End with a report')).toContainText('succeeded')
  await signedInPage.getByRole('switch', { name: /^Nodes seen in other runs/ }).click()
  await expect(timelineRow(signedInPage, 'Read what is no file')).toContainText('not reached')
})

async function openApp(page: Page, url: string, label: string): Promise<void> {
  await page.goto(`${url}/workflows`)
  await page.getByRole('combobox', { name: 'App', exact: true }).selectOption({ label })
  // Until then the app that was shown before still receives the clicks.
  await expect(page).toHaveTitle(`Workflows · ${label} · Loupe`)
}

const timelineRow = (page: Page, name: string) =>
  page
    .getByRole('treegrid', { name: 'Timeline' })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) })
