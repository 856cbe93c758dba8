import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { EighteenOperations } from './faults/eighteen.ts'
import { addKey, appKeys, expect, line, run, test } from './workflows.ts'

test('the three shipped workflows run, fail and are read again where the platform offers the 18 operations only', async ({
  desk,
  loupe,
}) => {
  const narrow = await EighteenOperations.before(loupe.platform)
  const keys = appKeys(loupe)
  const made = await desk.request.post(`${loupe.url}/api/workspaces`, {
    headers: { 'x-console': '1' },
    data: { name: 'Eighteen', base_url: narrow.url },
  })
  const workspace = ((await made.json()) as { id: string }).id
  for (const app of ['workflow', 'workflow-digest', 'workflow-inspect'])
    await addKey(desk, loupe, workspace, { label: app, key: keys[app] ?? '' })
  const open = async (label: string) => {
    await desk.goto(`${loupe.url}/workflows?workspace=${workspace}`)
    await desk.getByRole('combobox', { name: 'App', exact: true }).selectOption({ label })
  }

  await open('workflow')
  await desk.getByRole('textbox', { name: 'Question' }).fill('What is nowhere in the documents: zygomorphic quokkas?')
  await run(desk)
  await expect(line(desk, 'Was something found?')).toContainText('succeeded')
  await expect(desk.getByRole('region', { name: 'Outputs' }).first()).toContainText('answer')

  await open('workflow-digest')
  await expect(desk.getByRole('button', { name: 'Upload' })).toHaveCount(0)
  await desk.getByRole('textbox', { name: 'URL of the file' }).fill('https://files.example/lamps.md')
  await desk.getByRole('button', { name: 'Add by URL' }).click()
  await run(desk)
  await expect(line(desk, 'Round 0')).toBeVisible()
  await expect(line(desk, 'Read the file')).toContainText('failed')

  await open('workflow-inspect')
  await run(desk)
  await expect(line(desk, 'End with a report')).toContainText('succeeded')
  await desk.getByRole('checkbox', { name: 'Fail on purpose' }).check()
  await run(desk)
  await expect(line(desk, 'Read what is no file')).toContainText('failed')
  await expect(line(desk, 'End with a report')).toContainText('not reached')
  await desk.getByText('History', { exact: true }).click()
  await expect(desk.getByText('Failures', { exact: true })).toBeVisible()
  await expect(desk.getByText('Platform’s log', { exact: true })).toHaveCount(0)
  await desk.getByRole('link', { name: 'Open the run' }).click()
  const detail = desk.getByRole('region', { name: 'What the platform says now' }).first()
  await expect(detail.getByRole('row', { name: /status/ })).toContainText('failed')

  const place = desk.url()
  const id = new URL(place).pathname.split('/')[2] ?? ''
  const runs = (await (await desk.request.get(`${loupe.url}/api/runs?workspace=${workspace}`)).json()) as {
    data: { id: string }[]
  }
  const before = runs.data.find((one) => one.id !== id)?.id ?? ''
  const places: [string, string][] = [
    [place, 'Timeline'],
    [`${place}&view=graph`, 'Graph'],
    [`${loupe.url}/runs/${id}?workspace=${workspace}&with=${before}`, 'Nodes'],
    [`${loupe.url}/workflows?workspace=${workspace}&pane=history&of=failures`, 'History'],
  ]
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await desk.emulateMedia({ colorScheme })
    await desk.setViewportSize({ width, height: 900 })
    for (const [url, words] of places) {
      await desk.goto(url)
      await expect(desk.getByText(words, { exact: true }).first()).toBeVisible()
      expect(await faultsOf(desk), `${url} ${colorScheme} ${width}`).toEqual([])
    }
  }
  await narrow.close()
})

/** What axe calls serious, and whether the page scrolls sideways. */
async function faultsOf(page: Page): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  return [
    ...serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    ...(wide > 0 ? [`${wide} px wide`] : []),
  ]
}
