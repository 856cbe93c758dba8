import type { Page } from '@playwright/test'
import { EighteenOperations } from './faults/eighteen.ts'
import { expect, signIn, test as base } from './fixtures.ts'
import { Loupe } from './loupe.ts'

const KNOWLEDGE_KEY = 'knowledge-of-the-specs'
const CHAT_KEY = 'chat-of-the-specs'

/** A workspace with a knowledge key and a chat key, and how much its platform offers. */
export interface Knowledge {
  loupe: Loupe
  page: Page
  workspace: string
  key: string
  /** The platform itself, past the console. */
  platform: { url: string; key: string }
  offersAll: boolean
  open: (path: string) => Promise<void>
  post: (path: string, data: unknown) => Promise<Record<string, unknown>>
}

/** Each spec is walked on the whole built-in platform, and on one that offers the 18 operations only. */
export const PLATFORMS = ['the built-in platform', 'the 18 operations only'] as const

export const test = base.extend<{ offered: (typeof PLATFORMS)[number]; knowledge: Knowledge }, { known: Loupe }>({
  offered: [PLATFORMS[0], { option: true }],
  known: [
    async ({}, use) => {
      const loupe = await Loupe.begun({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY, PLATFORM_CHAT_KEY: CHAT_KEY }).start()
      await use(loupe)
      await loupe.remove()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  knowledge: async ({ page, known, offered }, use) => {
    await signIn(page, known)
    const narrow = offered === PLATFORMS[1] ? await EighteenOperations.before(known.platform) : null
    const place = narrow ? await addNarrow(page, known, narrow) : await builtIn(page, known)
    const headers = { authorization: `Bearer ${KNOWLEDGE_KEY}` }
    await use({
      loupe: known,
      page,
      ...place,
      platform: { url: known.platform, key: KNOWLEDGE_KEY },
      offersAll: narrow === null,
      open: async (path) => {
        await page.goto(`${known.url}${path}${path.includes('?') ? '&' : '?'}workspace=${place.workspace}`)
      },
      post: async (path, data) => {
        const response = await page.request.post(`${known.platform}${path}`, { headers, data })
        expect(response.status(), await response.text()).toBe(200)
        return (await response.json()) as Record<string, unknown>
      },
    })
    await narrow?.close()
  },
})
export { expect }

async function builtIn(page: Page, { url }: Loupe) {
  const { data } = (await (await page.request.get(`${url}/api/workspaces`)).json()) as {
    data: { id: string; builtin: boolean; keys: { id: string; kind: string }[] }[]
  }
  const workspace = data.find(({ builtin }) => builtin)
  return {
    workspace: workspace?.id ?? '',
    key: workspace?.keys.find(({ kind }) => kind === 'knowledge')?.id ?? '',
  }
}

async function addNarrow(page: Page, { url }: Loupe, narrow: EighteenOperations) {
  const post = async (path: string, data: unknown) => {
    const response = await page.request.post(`${url}${path}`, { headers: { 'x-console': '1' }, data })
    expect(response.status(), await response.text()).toBe(200)
    return (await response.json()) as { id: string }
  }
  const { id } = await post('/api/workspaces', { name: 'Eighteen', base_url: narrow.url })
  const { id: key } = await post(`/api/workspaces/${id}/keys`, {
    kind: 'knowledge',
    label: 'Knowledge',
    key: KNOWLEDGE_KEY,
  })
  await post(`/api/workspaces/${id}/keys`, { kind: 'chat', label: 'Assistant', key: CHAT_KEY })
  return { workspace: id, key }
}
