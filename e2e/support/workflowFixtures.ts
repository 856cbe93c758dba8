import type { Page } from '@playwright/test'
import { addKey as addAppKey } from './appKeys.ts'
import { FormPlatform } from './platforms/formPlatform.ts'
import { WorkflowPlatform } from './platforms/workflowPlatform.ts'
import { expect, test as base } from './fixtures.ts'
import type { LoupeProcess } from './loupeProcess.ts'

/** A workspace whose platform plays one workflow app. */
export interface WorkflowFixture {
  app: WorkflowPlatform
  workspace: string
  key: string
  /** The playground of the app. */
  url: string
}

/** The same with a workflow that asks a person. */
export type FormFixture = Omit<WorkflowFixture, 'app'> & { app: FormPlatform }

export const test = base.extend<{ workflowFixture: WorkflowFixture; formApp: FormFixture }>({
  workflowFixture: async ({ signedInPage, loupe, faultyWorkspace }, use) => {
    const app = new WorkflowPlatform()
    faultyWorkspace.platform.script = app.script
    const key = await addKey(signedInPage, loupe, faultyWorkspace.id, {
      label: 'Played workflow',
      key: 'app-of-the-played-workflow',
    })
    await use({
      app,
      workspace: faultyWorkspace.id,
      key,
      url: `${loupe.url}/workflows?workspace=${faultyWorkspace.id}&app=${key}`,
    })
  },
  formApp: async ({ signedInPage, loupe, faultyWorkspace: { id: workspace, platform } }, use) => {
    const app = new FormPlatform()
    platform.script = app.script
    const key = await addKey(signedInPage, loupe, workspace, { label: 'Approval', key: 'app-of-the-approval-workflow' })
    await use({ app, workspace, key, url: `${loupe.url}/workflows?workspace=${workspace}&app=${key}` })
  },
})
export { expect }

/** Adds a key of a workflow app to a workspace. @returns its id */
export const addKey = (page: Page, loupe: LoupeProcess, workspace: string, given: { label: string; key: string }) =>
  addAppKey(page, loupe, workspace, { kind: 'workflow', ...given })

/** A line of the timeline by the name of its node. */
export const findTimelineRow = (page: Page, name: string) =>
  page
    .getByRole('treegrid', { name: 'Timeline' })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) })

export const clickRun = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click()

/** The runner with the workflow app of this label. */
export async function openWorkflowApp(page: Page, url: string, label: string): Promise<void> {
  await page.goto(`${url}/workflows`)
  await page.getByRole('combobox', { name: 'App', exact: true }).selectOption({ label })
  // Until then the app that was shown before still receives the clicks.
  await expect(page).toHaveTitle(`Workflows · ${label} · Loupe`)
}
