import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { ScriptedPlatform } from './faults/platform.ts'
import { Loupe, SETUP_TOKEN } from './loupe.ts'

/** What a spec may ask for: a running Loupe, a scripted platform beside it, and a page that is signed in. */
export const test = base.extend<{ faults: Workspace; desk: Page }, { loupe: Loupe }>({
  loupe: [
    async ({}, use) => {
      const loupe = await Loupe.begun().start()
      await use(loupe)
      await loupe.remove()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  page: async ({ page }, use) => {
    const complaints = watchConsole(page)
    await use(page)
    expect(complaints, 'the browser’s console stays silent').toEqual([])
  },
  desk: async ({ page, loupe }, use) => {
    await signIn(page, loupe)
    await use(page)
  },
  faults: async ({ desk, loupe }, use) => {
    const platform = await ScriptedPlatform.start()
    const workspace = await addWorkspace(desk, loupe, platform)
    await use(workspace)
    await platform.close()
  },
})
export { expect }

export interface Workspace {
  platform: ScriptedPlatform
  id: string
  chatKey: string
  knowledgeKey: string
  /** The chat playground on this platform's app. */
  chat: string
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
/** The session of each Loupe: its server lets nobody sign in more than ten times a minute. */
const signedIn = new WeakMap<Loupe, Cookies>()

export async function signIn(page: Page, loupe: Loupe): Promise<void> {
  const kept = signedIn.get(loupe)
  if (kept) {
    await page.context().addCookies(kept)
    if ((await page.request.get(`${loupe.url}/api/session`)).ok()) return
  }
  const response = await page.request.post(`${loupe.url}/api/session`, {
    headers: { 'x-console': '1' },
    data: { token: SETUP_TOKEN },
  })
  expect(response.status()).toBe(200)
  signedIn.set(loupe, await page.context().cookies(loupe.url))
}

async function addWorkspace(page: Page, loupe: Loupe, platform: ScriptedPlatform): Promise<Workspace> {
  const post = async (path: string, data: unknown) => {
    const response = await page.request.post(`${loupe.url}${path}`, { headers: { 'x-console': '1' }, data })
    expect(response.status(), await response.text()).toBe(200)
    return (await response.json()) as { id: string }
  }
  const { id } = await post('/api/workspaces', { name: 'Faults', base_url: platform.url })
  const keys = `/api/workspaces/${id}/keys`
  const chat = await post(keys, { kind: 'chat', label: 'Scripted app', key: 'app-sentinel-of-the-faults' })
  const knowledge = await post(keys, {
    kind: 'knowledge',
    label: 'Scripted knowledge',
    key: 'dataset-sentinel-of-the-faults',
  })
  return {
    platform,
    id,
    chatKey: chat.id,
    knowledgeKey: knowledge.id,
    chat: `${loupe.url}/chat?workspace=${id}&app=${chat.id}`,
  }
}

/** Errors that a page logs, but for the lines Chromium writes by itself for a reply that is no 2xx. */
function watchConsole(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (line) => {
    if (line.type() === 'error' && !/Failed to load resource|net::ERR_/.test(line.text())) complaints.push(line.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}
