import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { WorkflowPlatform } from './faults/workflow.ts'
import { expect, test as base } from './fixtures.ts'
import type { Loupe } from './loupe.ts'

/** A workspace whose platform plays one workflow app. */
export interface Played {
  app: WorkflowPlatform
  workspace: string
  key: string
  /** The playground of the app. */
  url: string
}

export const test = base.extend<{ played: Played }>({
  played: async ({ desk, loupe, faults }, use) => {
    const app = new WorkflowPlatform()
    faults.platform.script = app.script
    const key = await addKey(desk, loupe, faults.id, { label: 'Played workflow', key: 'app-of-the-played-workflow' })
    await use({ app, workspace: faults.id, key, url: `${loupe.url}/workflows?workspace=${faults.id}&app=${key}` })
  },
})
export { expect }

export async function addKey(page: Page, { url }: Loupe, workspace: string, given: { label: string; key: string }) {
  const response = await page.request.post(`${url}/api/workspaces/${workspace}/keys`, {
    headers: { 'x-console': '1' },
    data: { kind: 'workflow', ...given },
  })
  expect(response.status(), await response.text()).toBe(200)
  return ((await response.json()) as { id: string }).id
}

/** The keys of the built-in platform's apps, by the app's id, as the console's own script prints them. */
export function appKeys({ folder }: Loupe): Record<string, string> {
  const printed = execFileSync(process.execPath, ['server/platform-keys.ts'], {
    env: { ...process.env, DATA_DIR: folder },
    encoding: 'utf8',
  })
  return (JSON.parse(printed) as { apps: Record<string, string> }).apps
}

/** A line of the timeline by the name of its node. */
export const line = (page: Page, name: string) =>
  page
    .getByRole('treegrid', { name: 'Timeline' })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) })

export const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click()
