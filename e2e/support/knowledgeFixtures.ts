import type { Page } from '@playwright/test'
import { EighteenOperations } from './platforms/eighteenOperations.ts'
import { expect, signIn, test as base } from './fixtures.ts'
import { createJsonSender } from './postJson.ts'
import { LoupeProcess } from './loupeProcess.ts'

const KNOWLEDGE_KEY = 'knowledge-of-the-specs'
const CHAT_KEY = 'chat-of-the-specs'

/** A workspace with a knowledge key and a chat key, and how much its platform offers. */
export interface KnowledgeFixture {
  loupe: LoupeProcess
  page: Page
  workspace: string
  key: string
  /** The platform itself, past the console. */
  platform: { url: string; key: string }
  hasOptionalOperations: boolean
  open: (path: string) => Promise<void>
  post: (path: string, data: unknown) => Promise<Record<string, unknown>>
}

/** Each spec is walked on the whole built-in platform, and on one that offers the 18 operations only. */
export const PLATFORM_VARIANTS = ['the built-in platform', 'the 18 operations only'] as const

export const test = base.extend<
  { platformVariant: (typeof PLATFORM_VARIANTS)[number]; knowledge: KnowledgeFixture },
  { knowledgeLoupe: LoupeProcess }
>({
  platformVariant: [PLATFORM_VARIANTS[0], { option: true }],
  knowledgeLoupe: [
    async ({}, use) => {
      const loupe = await LoupeProcess.fromTemplate({
        PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY,
        PLATFORM_CHAT_KEY: CHAT_KEY,
      }).start()
      await use(loupe)
      await loupe.remove()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  knowledge: async ({ page, knowledgeLoupe, platformVariant }, use) => {
    await signIn(page, knowledgeLoupe)
    const narrow =
      platformVariant === PLATFORM_VARIANTS[1] ? await EighteenOperations.startBefore(knowledgeLoupe.platform) : null
    const place = narrow
      ? await addRestrictedWorkspace(page, knowledgeLoupe, narrow)
      : await findBuiltInWorkspace(page, knowledgeLoupe)
    const headers = { authorization: `Bearer ${KNOWLEDGE_KEY}` }
    await use({
      loupe: knowledgeLoupe,
      page,
      ...place,
      platform: { url: knowledgeLoupe.platform, key: KNOWLEDGE_KEY },
      hasOptionalOperations: narrow === null,
      open: async (path) => {
        await page.goto(`${knowledgeLoupe.url}${path}${path.includes('?') ? '&' : '?'}workspace=${place.workspace}`)
      },
      post: async (path, data) => {
        const response = await page.request.post(`${knowledgeLoupe.platform}${path}`, { headers, data })
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

async function addRestrictedWorkspace(page: Page, { url }: LoupeProcess, narrow: EighteenOperations) {
  const postJson = createJsonSender(page.request, url)
  const { id } = await postJson('/api/workspaces', { name: 'Eighteen', base_url: narrow.url })
  const { id: key } = await postJson(`/api/workspaces/${id}/keys`, {
    kind: 'knowledge',
    label: 'Knowledge',
    key: KNOWLEDGE_KEY,
  })
  await postJson(`/api/workspaces/${id}/keys`, { kind: 'chat', label: 'Assistant', key: CHAT_KEY })
  return { workspace: id, key }
}
