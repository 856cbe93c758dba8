import type { Page } from '@playwright/test'
import { expect, test } from '#support/fixtures.ts'
import { SETUP_TOKEN } from '#support/loupeProcess.ts'
import { sendAnswer } from '#support/platforms/scriptedPlatform.ts'
import { createJsonSender } from '#support/postJson.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Your question' })
const signInByToken = async (page: Page) => {
  await page.getByLabel('Token from the link').fill(SETUP_TOKEN)
  await page.keyboard.press('Enter')
}

test('a question survives the end of the session, a refusal and a reload, and is there for nobody else', async ({
  signedInPage: page,
  faultyWorkspace: { platform, chat },
  loupe,
}) => {
  const asked = () => platform.requests.filter(({ path }) => path.endsWith('/chat-messages')).length
  platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages') ? sendAnswer(response, 'Yes.') : void response.writeHead(404).end()
  const makePerson = createJsonSender(page.request, loupe.url)
  const { link } = (await makePerson('/api/people', { name: `Guest ${Date.now()}`, role: 'viewer' })) as unknown as {
    link: string
  }

  await page.goto(chat)
  await field(page).fill('Where is the 灯?')
  await page.context().clearCookies()
  await field(page).press('Control+Enter')
  await signInByToken(page)
  await expect(field(page)).toHaveValue('Where is the 灯?')
  await page.reload()
  await expect(field(page)).toHaveValue('Where is the 灯?')

  await page.route('**/chat-messages', (route) =>
    route.fulfill({ status: 507, json: { kind: 'denied', status: 507, message: 'The disk is full.' } }),
  )
  await field(page).press('Control+Enter')
  await expect(page.getByText('The disk is full.').first()).toBeVisible()
  await page.reload()
  await expect(field(page)).toHaveValue('Where is the 灯?')
  await page.unroute('**/chat-messages')
  expect(asked()).toBe(0)

  for (const composition of [{ keyCode: 229 }, { isComposing: true }])
    await field(page).dispatchEvent('keydown', { key: 'Enter', bubbles: true, ...composition })
  await expect(field(page)).toHaveValue('Where is the 灯?')
  await field(page).press('Enter')
  await expect(page.getByText('Yes.').first()).toBeVisible()
  expect(asked()).toBe(1)
  await expect(field(page)).toHaveValue('')
  await page.reload()
  await expect(page.getByText('Yes.').first()).toBeVisible()
  await expect(field(page)).toHaveValue('')

  await page.goto(chat)
  await field(page).fill('A secret of mine')
  await page.context().clearCookies()
  await page.goto(`${loupe.url}/sign-in#${link}`)
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('secret')
})
