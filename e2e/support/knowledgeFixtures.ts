import type { Page } from '@playwright/test'
import { EighteenOperations } from './platforms/eighteenOperations.ts'
import { addWorkspace, readAppKeys } from './appKeys.ts'
import { expect, test as base } from './fixtures.ts'
import { IS_FULL_RUN } from './fullRun.ts'
import type { LoupeProcess } from './loupeProcess.ts'

/** A workspace with a knowledge key and a chat key, and how much its platform offers. */
export interface KnowledgeFixture {
  loupe: LoupeProcess
  page: Page
  workspace: string
  key: string
  /** The platform itself, past the console. */
  platform: { url: string; key: string }
  hasOptionalOperations: boolean
  /** The name of a dataset that no other test has, since all tests of a worker see the same platform. */
  toDatasetName: (name: string) => string
  open: (path: string) => Promise<void>
  post: (path: string, data: unknown) => Promise<Record<string, unknown>>
}

type PlatformVariant = 'the built-in platform' | 'the 18 operations only'

/** Specs are walked on the whole built-in platform, and in a full run also on one that offers the 18 operations only. */
export const PLATFORM_VARIANTS: readonly PlatformVariant[] = IS_FULL_RUN
  ? ['the built-in platform', 'the 18 operations only']
  : ['the built-in platform']

export const test = base.extend<{ platformVariant: PlatformVariant; knowledge: KnowledgeFixture }>({
  platformVariant: ['the built-in platform', { option: true }],
  knowledge: async ({ signedInPage: page, loupe, platformVariant }, use, testInfo) => {
    const keys = readAppKeys(loupe)
    const narrow =
      platformVariant === 'the 18 operations only' ? await EighteenOperations.startBefore(loupe.platform) : null
    const place = narrow ? await addRestrictedWorkspace(page, loupe, narrow) : await findBuiltInWorkspace(page, loupe)
    const headers = { authorization: `Bearer ${keys.knowledge}` }
    await use({
      loupe,
      page,
      ...place,
      platform: { url: loupe.platform, key: keys.knowledge },
      hasOptionalOperations: narrow === null,
      toDatasetName: (name) => `${name}, ${testInfo.testId.slice(-6)}`,
      open: async (path) => {
        await page.goto(`${loupe.url}${path}${path.includes('?') ? '&' : '?'}workspace=${place.workspace}`)
      },
      post: async (path, data) => {
        const response = await page.request.post(`${loupe.platform}${path}`, { headers, data })
        expect(response.status(), await response.text()).toBe(200)
        return (await response.json()) as Record<string, unknown>
      },
    })
    await narrow?.close()
  },
})
export { expect }

async function findBuiltInWorkspace(page: Page, { url }: LoupeProcess) {
  const { data } = (await (await page.request.get(`${url}/api/workspaces`)).json()) as {
    data: { id: string; builtin: boolean; keys: { id: string; kind: string }[] }[]
  }
  const workspace = data.find(({ builtin }) => builtin)
  return {
    workspace: workspace?.id ?? '',
    key: workspace?.keys.find(({ kind }) => kind === 'knowledge')?.id ?? '',
  }
}

async function addRestrictedWorkspace(page: Page, loupe: LoupeProcess, narrow: EighteenOperations) {
  const { knowledge, chat } = readAppKeys(loupe)
  const keys = [
    { kind: 'knowledge', label: 'Knowledge', key: knowledge },
    { kind: 'chat', label: 'Assistant', key: chat },
  ] as const
  const { id, keyIds } = await addWorkspace(page, loupe, { name: 'Eighteen', base_url: narrow.url, keys })
  return { workspace: id, key: keyIds[0] ?? '' }
}
