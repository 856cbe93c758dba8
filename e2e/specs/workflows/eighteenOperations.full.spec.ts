import { expectAccessible } from '#support/documentFixtures.ts'
import { EighteenOperations } from '#support/platforms/eighteenOperations.ts'
import { readAppKeys } from '#support/appKeys.ts'
import { addKey, expect, findTimelineRow, clickRun, test } from '#support/workflowFixtures.ts'

test('the three shipped workflows run, fail and are read again where the platform offers the 18 operations only', async ({
  signedInPage,
  loupe,
}) => {
  const narrow = await EighteenOperations.startBefore(loupe.platform)
  const keys = readAppKeys(loupe)
  const made = await signedInPage.request.post(`${loupe.url}/api/workspaces`, {
    headers: { 'x-console': '1' },
    data: { name: 'Eighteen', base_url: narrow.url },
  })
  const workspace = ((await made.json()) as { id: string }).id
  for (const app of ['workflow', 'workflow-digest', 'workflow-inspect'])
    await addKey(signedInPage, loupe, workspace, { label: app, key: keys[app] ?? '' })
  const open = async (label: string) => {
    await signedInPage.goto(`${loupe.url}/workflows?workspace=${workspace}`)
    await signedInPage.getByRole('combobox', { name: 'App', exact: true }).selectOption({ label })
    // Until then the app that was shown before still receives the clicks.
    await expect(signedInPage).toHaveTitle(`Workflows · ${label} · Loupe`)
  }

  await open('workflow')
  await signedInPage
    .getByRole('textbox', { name: 'Question' })
    .fill('What is nowhere in the documents: zygomorphic quokkas?')
  await clickRun(signedInPage)
  await expect(findTimelineRow(signedInPage, 'Was something found?')).toContainText('succeeded')
  await expect(signedInPage.getByRole('region', { name: 'Outputs' }).first()).toContainText('answer')

  await open('workflow-digest')
  await expect(signedInPage.getByRole('button', { name: 'Upload' })).toHaveCount(0)
  await signedInPage.getByRole('textbox', { name: 'URL of the file' }).fill('https://files.example/lamps.md')
  await signedInPage.getByRole('button', { name: 'Add by URL' }).click()
  await clickRun(signedInPage)
  await expect(findTimelineRow(signedInPage, 'Round 0')).toBeVisible()
  await expect(findTimelineRow(signedInPage, 'Read the file')).toContainText('failed')

  await open('workflow-inspect')
  await clickRun(signedInPage)
  await expect(findTimelineRow(signedInPage, 'End with a report')).toContainText('succeeded')
  await signedInPage.getByRole('checkbox', { name: 'Fail on purpose' }).check()
  await clickRun(signedInPage)
  await expect(findTimelineRow(signedInPage, 'Read what is no file')).toContainText('failed')
  await signedInPage.getByRole('switch', { name: /^Nodes seen in other runs/ }).click()
  await expect(findTimelineRow(signedInPage, 'End with a report')).toContainText('not reached')
  await signedInPage.getByText('History', { exact: true }).click()
  await expect(signedInPage.getByText('Failures', { exact: true })).toBeVisible()
  await expect(signedInPage.getByText('Platform’s log', { exact: true })).toHaveCount(0)
  await signedInPage.getByRole('link', { name: 'Open run' }).click()
  await expect(signedInPage).toHaveURL(/\/runs\//)
  const place = signedInPage.url()
  await signedInPage.getByRole('tab', { name: 'Current platform data' }).click()
  const detail = signedInPage.getByRole('region', { name: 'Current platform data' }).first()
  await expect(detail.getByRole('row', { name: /status/ })).toContainText('failed')

  const id = new URL(place).pathname.split('/')[2] ?? ''
  const runs = (await (await signedInPage.request.get(`${loupe.url}/api/runs?workspace=${workspace}`)).json()) as {
    data: { id: string }[]
  }
  const before = runs.data.find((one) => one.id !== id)?.id ?? ''
  const places: [string, string][] = [
    [place, 'Timeline'],
    [`${place}&view=graph`, 'Graph'],
    [`${loupe.url}/runs/${id}?workspace=${workspace}&with=${before}`, 'Nodes'],
    [`${loupe.url}/workflows?workspace=${workspace}&pane=history&of=failures`, 'History'],
  ]
  for (const [url, words] of places) {
    await signedInPage.goto(url)
    await expect(signedInPage.getByText(words, { exact: true }).first()).toBeVisible()
    await expectAccessible(signedInPage)
  }
  await narrow.close()
})
