import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test('a person sees which node failed, and reads first what the platform said of it', async ({ desk, loupe }) => {
  await openApp(desk, loupe.url, 'Inspect the inputs')
  await desk.getByRole('checkbox', { name: 'Fail on purpose' }).check()
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(node(desk, 'Read what is no file')).toContainText('failed')
  await node(desk, 'Read what is no file').getByRole('button').click()
  const panel = desk.getByRole('region', { name: 'What the platform said' })
  await expect(panel).toContainText('holds true, which is no file')
  await expect(desk).toHaveURL(/node=/)

  await desk.reload()
  await expect(panel).toContainText('which is no file')
  await desk.getByRole('button', { name: 'Close the node' }).click()
  await expect(desk.getByRole('tab', { name: /Frames/ })).toBeVisible()
  await expect(desk).not.toHaveURL(/node=/)

  await desk.getByRole('checkbox', { name: 'Fail on purpose' }).uncheck()
  await desk.keyboard.press('Control+Enter')
  await expect(node(desk, 'End with a report')).toContainText('succeeded')
  await expect(node(desk, 'Read what is no file')).toContainText('not reached')
})

test('an iteration over files stands with its rounds, and folds by the arrow keys', async ({ desk, loupe }) => {
  await openApp(desk, loupe.url, 'Digest of files')
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(desk.getByText('Files is required.')).toBeVisible()
  const chooser = desk.waitForEvent('filechooser')
  await desk.getByRole('button', { name: 'Upload' }).click()
  const files = ['lamps.md', 'seats.md'].map((name) => {
    const buffer = Buffer.from(`# ${name}\n\nA lamp lasts 2,000 hours. The seat has a gap of 0.3 mm.`)
    return { name, mimeType: 'text/markdown', buffer }
  })
  // Both at once: which upload ends first, and how soon the other one does, is open.
  await (await chooser).setFiles(files)
  await expect(desk.getByText('local_file')).toHaveCount(2)
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(node(desk, 'Round 1')).toBeVisible()
  await expect(node(desk, 'Summarise it')).toHaveCount(2)
  await expect(desk.getByText('2 of 2')).toBeVisible()
  await desk.getByRole('treegrid', { name: 'Timeline' }).focus()
  await desk.keyboard.press('Home')
  await desk.keyboard.press('ArrowDown')
  await desk.keyboard.press('ArrowLeft')
  await expect(node(desk, 'Round 1')).toHaveCount(0)
  await expect(desk).toHaveURL(/node=/)

  await desk.getByRole('link', { name: 'Open the run' }).click()
  const detail = desk.getByRole('region', { name: 'What the platform says now' }).first()
  await expect(detail).toContainText('The platform says now')
  await expect(detail.getByRole('row', { name: /status/ })).toContainText('succeeded')
})

test('inputs are kept under a name, and their link fills in the form of somebody else', async ({
  desk,
  loupe,
  browser,
}) => {
  await openApp(desk, loupe.url, 'Answer or say so')
  await desk.getByRole('textbox', { name: 'Question' }).fill('What is a workspace?')
  await desk.getByRole('button', { name: 'Save these inputs' }).click()
  await desk.getByRole('textbox', { name: 'Name of the inputs' }).fill('The workspace')
  await desk.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(desk.getByRole('combobox', { name: 'Saved inputs' })).toHaveValue(/./)
  await desk.getByText('blocking', { exact: true }).click()
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(desk.getByRole('region', { name: 'Outputs' }).first()).toContainText('answer')

  const other = await browser.newContext({ storageState: await desk.context().storageState() })
  const page = await other.newPage()
  await page.goto(desk.url())
  await expect(page.getByRole('textbox', { name: 'Question' })).toHaveValue('What is a workspace?')
  await other.close()
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious in a run with a chosen node: ${scheme}`, async ({ desk, loupe }) => {
    await desk.emulateMedia({ colorScheme: scheme })
    await openApp(desk, loupe.url, 'Inspect the inputs')
    await desk.getByRole('checkbox', { name: 'Fail on purpose' }).check()
    await desk.keyboard.press('Control+Enter')
    await node(desk, 'Read what is no file').getByRole('button').click()
    await expect(desk.getByRole('region', { name: 'What the platform said' })).toBeVisible()
    const { violations } = await new AxeBuilder({ page: desk }).analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

async function openApp(page: Page, url: string, label: string): Promise<void> {
  await page.goto(`${url}/workflows`)
  await page.getByRole('combobox', { name: 'App', exact: true }).selectOption({ label })
}

const node = (page: Page, name: string) =>
  page
    .getByRole('treegrid', { name: 'Timeline' })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) })
