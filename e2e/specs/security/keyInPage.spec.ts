import { listEncodings } from '#support/keyEncodings.ts'
import {
  createAnswerIds,
  openStream,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

test('a key that the platform says back stands in no response, no page and no storage', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace: { platform, id, chat },
}) => {
  let forms: string[] = []
  platform.script = ({ path, headers }, response) => {
    forms = Object.values(listEncodings(String(headers.authorization).replace('Bearer ', '')))
    if (!path.endsWith('/chat-messages'))
      return sendError(response, 200, { name: forms.join(' '), user_input_form: [] })
    const ids = createAnswerIds()
    openStream(response)
    for (const form of forms)
      for (const piece of [form.slice(0, 9), form.slice(9)]) response.write(toMessageBlock(ids, piece))
    response.end(toMessageEndBlock(ids))
  }
  const responses: Promise<string>[] = []
  page.on('response', (response) => responses.push(response.text().catch(() => '')))
  await page.goto(chat)
  await page.getByRole('textbox', { name: 'Your question' }).fill('Which key?')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('log')).toContainText('[REDACTED:key]')
  await expect(page.getByText('first token').first()).toBeVisible()
  const texts = [await page.content()]
  for (const [path, words] of [
    ['/workspaces', 'Scripted app'],
    ['/ledger', 'Which key?'],
  ] as const) {
    await page.goto(`${loupe.url}${path}?workspace=${id}`)
    await expect(page.getByRole('main').getByText(words).filter({ visible: true }).first()).toBeVisible()
    texts.push(await page.content())
  }
  texts.push(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])))
  texts.push(...(await Promise.all(responses)))
  expect(forms.length).toBeGreaterThan(3)
  for (const form of forms) expect(texts.filter((text) => text.includes(form))).toEqual([])
})
