import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { addWorkspace } from './appKeys.ts'
import { ScriptedPlatform } from './platforms/scriptedPlatform.ts'
import { LoupeProcess, SETUP_TOKEN } from './loupeProcess.ts'

/** Fixtures of the specs: a running Loupe, a scripted platform, and a signed-in page. */
export const test = base.extend<{ faultyWorkspace: FaultyWorkspace; signedInPage: Page }, { loupe: LoupeProcess }>({
  loupe: [
    async ({}, use) => {
      const loupe = await LoupeProcess.fromTemplate().start()
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
  signedInPage: async ({ page, loupe }, use) => {
    await signIn(page, loupe)
    await use(page)
  },
  faultyWorkspace: async ({ signedInPage, loupe }, use, { testId }) => {
    const platform = await ScriptedPlatform.start()
    // All tests of a worker see the same Loupe.
    const name = `Faults ${testId.slice(-6)}`
    const keys = [
      { kind: 'chat', label: 'Scripted app', key: 'app-sentinel-of-the-faults' },
      { kind: 'knowledge', label: 'Scripted knowledge', key: 'dataset-sentinel-of-the-faults' },
    ] as const
    const { id, keyIds } = await addWorkspace(signedInPage, loupe, { name, base_url: platform.url, keys })
    const [chatKey = '', knowledgeKey = ''] = keyIds
    const chat = `${loupe.url}/chat?workspace=${id}&app=${chatKey}`
    await use({ platform, id, name, chatKey, knowledgeKey, chat })
    await platform.close()
  },
})
export { expect }

export interface FaultyWorkspace {
  platform: ScriptedPlatform
  id: string
  name: string
  chatKey: string
  knowledgeKey: string
  /** The chat playground on this platform's app. */
  chat: string
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
/** The session of each Loupe: its server accepts at most ten sign-ins per minute. */
const sessionCookies = new WeakMap<LoupeProcess, Cookies>()

export async function signIn(page: Page, loupe: LoupeProcess): Promise<void> {
  const savedCookies = sessionCookies.get(loupe)
  if (savedCookies) {
    await page.context().addCookies(savedCookies)
    if ((await page.request.get(`${loupe.url}/api/session`)).ok()) return
  }
  const response = await page.request.post(`${loupe.url}/api/session`, {
    headers: { 'x-console': '1' },
    data: { token: SETUP_TOKEN },
  })
  expect(response.status()).toBe(200)
  sessionCookies.set(loupe, await page.context().cookies(loupe.url))
}

/** Errors that a page logs, except those that Chromium itself logs for replies that are not 2xx and refused WebSockets. */
function watchConsole(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (consoleMessage) => {
    if (
      consoleMessage.type() === 'error' &&
      !/Failed to load resource|net::ERR_|^WebSocket connection to /.test(consoleMessage.text())
    )
      complaints.push(consoleMessage.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}
