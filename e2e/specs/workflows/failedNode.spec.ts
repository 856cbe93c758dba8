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

test('an iteration over files stands with its rounds, and folds by the arrow keys', async ({ signedInPage, loupe }) => {
  await openApp(signedInPage, loupe.url, 'Digest of files')
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(signedInPage.getByText('Files is required.')).toBeVisible()
  const chooser = signedInPage.waitForEvent('filechooser')
  await signedInPage.getByRole('button', { name: 'Upload' }).click()
  const files = ['lamps.md', 'seats.md'].map((name) => {
    const buffer = Buffer.from(`# ${name}\n\nA lamp lasts 2,000 hours. The seat has a gap of 0.3 mm.`)
    return { name, mimeType: 'text/markdown', buffer }
  })
  // Both at once: which upload ends first, and how soon the other one does, is open.
  await (await chooser).setFiles(files)
  await expect(signedInPage.getByText('local_file')).toHaveCount(2)
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(timelineRow(signedInPage, 'Round 1')).toBeVisible()
  await expect(timelineRow(signedInPage, 'Summarise it')).toHaveCount(2)
  await expect(signedInPage.getByText('2 of 2')).toBeVisible()
  for (const width of [1440, 1000, 390]) {
    await signedInPage.setViewportSize({ width, height: 900 })
    await expect.poll(() => isNoteClearOfBracket(signedInPage, '2 of 2'), { message: `${width} px wide` }).toBe(true)
  }
  await signedInPage.setViewportSize({ width: 1440, height: 900 })
  await signedInPage.getByRole('treegrid', { name: 'Timeline' }).focus()
  await signedInPage.keyboard.press('Home')
  await signedInPage.keyboard.press('ArrowDown')
  await signedInPage.keyboard.press('ArrowLeft')
  await expect(timelineRow(signedInPage, 'Round 1')).toHaveCount(0)
  await expect(signedInPage).toHaveURL(/node=/)

  await signedInPage.getByRole('link', { name: 'Open run' }).click()
  await signedInPage.getByRole('tab', { name: 'Current platform data' }).click()
  const detail = signedInPage.getByRole('region', { name: 'Current platform data' }).first()
  await expect(detail).toContainText('Platform')
  await expect(detail.getByRole('row', { name: /status/ })).toContainText('succeeded')
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

/** Whether the note of an iteration touches none of the lines of its bracket, and has a surface behind. */
const isNoteClearOfBracket = (page: Page, text: string): Promise<boolean> =>
  page.getByText(text, { exact: true }).evaluate((note) => {
    const bracket = note.parentElement?.querySelector('[data-shape="holder"]')
    if (!bracket) return false
    const range = document.createRange()
    range.selectNodeContents(note)
    const [letters, lines] = [range.getBoundingClientRect(), bracket.getBoundingClientRect()]
    const isBeside = letters.left >= lines.right || letters.right <= lines.left
    const isBelow = letters.top >= lines.top + 2 && letters.left > lines.left + 2 && letters.right < lines.right - 2
    return (isBeside || isBelow) && getComputedStyle(note).backgroundColor !== 'rgba(0, 0, 0, 0)'
  })
