import type { Page } from '@playwright/test'
import { sendError, streamBlocks } from '#support/platforms/scriptedPlatform.ts'
import { RunScript } from '#support/platforms/workflowPlatform.ts'
import { expect, type FaultyWorkspace } from '#support/fixtures.ts'
import { addKey, clickRun, test } from '#support/workflowFixtures.ts'

const CURRENT = 'c0000000-0000-4000-8000-000000000001'

const OLDER = 'a0000000-0000-4000-8000-000000000002'

const UNKNOWN = 'b0000000-0000-4000-8000-000000000003'

/** A platform of one workflow with two versions: the current one has a node that the older one had not, and the reverse. */
function playVersions({ platform }: FaultyWorkspace): string[] {
  const paths: string[] = []
  platform.script = ({ method, path: url }, response) => {
    const path = url.replace(/^\/v1/, '').split('?')[0] ?? ''
    if (path === '/parameters') return sendError(response, 200, { user_input_form: [] })
    if (path === '/workflows/logs')
      return sendError(response, 200, { page: 1, limit: 1, total: 0, has_more: false, data: [] })
    const match = /^\/workflows\/(?:([^/]+)\/)?run$/.exec(path)
    if (method !== 'POST' || !match) return sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
    paths.push(path)
    const version = match[1] ?? CURRENT
    if (version === UNKNOWN) {
      const message = `Workflow not found with id: ${version}`
      return sendError(response, 404, { code: 'not_found', message, status: 404 })
    }
    if (version === 'draft')
      return sendError(response, 400, {
        code: 'bad_request',
        message: "Invalid workflow_id format: 'draft'. ",
        status: 400,
      })
    const script = new RunScript()
    const name = version === OLDER ? 'Old search' : 'New search'
    script.addEvent('workflow_started', { id: script.id, workflow_id: version, inputs: {}, created_at: 1_795_000_000 })
    script.addNode('start', 'Start', { node_type: 'start' }).addNode(name, name)
    return streamBlocks(response, script.addEnd('succeeded', { workflow_id: version }).frames, 'closes')
  }
  return paths
}

test('a workflow runs on a version that is chosen or pasted, its replay stays on it, and the current one can be chosen', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace,
}) => {
  const paths = playVersions(faultyWorkspace)
  const key = await addKey(page, loupe, faultyWorkspace.id, { label: 'Two versions', key: 'app-of-two-versions' })
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.goto(`${loupe.url}/workflows?workspace=${faultyWorkspace.id}&app=${key}`)
  await clickRun(page)
  await expect(output(page)).toContainText('New search')

  await select(page).selectOption('Another version')
  await page.getByRole('textbox', { name: 'Id of the version' }).fill(OLDER)
  await clickRun(page)
  await expect(output(page)).toContainText('Old search')
  expect(paths).toEqual(['/workflows/run', `/workflows/${OLDER}/run`])

  await page.getByRole('link', { name: 'Open run' }).click()
  await expect(total(page, 'Workflow version')).toContainText(OLDER.slice(0, 8))
  await expect(total(page, 'Workflow version')).toContainText('pinned')
  await page.getByRole('link', { name: 'Replay with edits' }).click()
  await expect(select(page)).toHaveValue(OLDER)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Related runs' })).toBeVisible()
  await expect(total(page, 'Workflow version')).toContainText('pinned')
  expect(paths.at(-1)).toBe(`/workflows/${OLDER}/run`)

  await page.getByRole('link', { name: 'Replay with edits' }).click()
  await select(page).selectOption('Current version')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(total(page, 'Workflow version')).toContainText('current at that time')
  expect(paths.at(-1)).toBe('/workflows/run')
  const nodes = page.getByRole('region', { name: 'Nodes and the parent run' })
  await expect(nodes).toContainText(`The parent run ran version ${OLDER.slice(0, 8)}.`)
  await expect(nodes).toContainText('Only in this runNew search')
  await expect(nodes).toContainText('Only in the parent runOld search')
})

test('seen versions are offered with their runs, and the platform’s words about an unknown one are shown', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace,
}) => {
  const paths = playVersions(faultyWorkspace)
  const key = await addKey(page, loupe, faultyWorkspace.id, { label: 'Two versions', key: 'app-of-seen-versions' })
  await page.goto(`${loupe.url}/workflows?workspace=${faultyWorkspace.id}&app=${key}`)
  await clickRun(page)
  await expect(output(page)).toContainText('New search')
  await page.reload()
  await expect(select(page).locator('option', { hasText: CURRENT.slice(0, 8) })).toHaveText(/1 run, 0 % failed$/)
  await select(page).selectOption(CURRENT)
  await clickRun(page)
  await expect.poll(() => paths.at(-1)).toBe(`/workflows/${CURRENT}/run`)

  await select(page).selectOption('Another version')
  const field = page.getByRole('textbox', { name: 'Id of the version' })
  await field.fill(UNKNOWN)
  await clickRun(page)
  await expect(output(page)).toContainText(`Workflow not found with id: ${UNKNOWN}`)
  await field.fill('draft')
  await clickRun(page)
  await expect(output(page)).toContainText("Invalid workflow_id format: 'draft'.")
})

const output = (page: Page) => page.getByRole('region', { name: 'Output', exact: true })

const select = (page: Page) => page.getByRole('combobox', { name: 'Workflow version' })

const total = (page: Page, name: string) =>
  page.locator('dl > div').filter({ has: page.locator('dt', { hasText: name }) })
