import type { Page } from '@playwright/test'
import { askQuestion, lastAnswer } from '#support/chatPage.ts'
import { type PlatformScript, sendAnswer } from '#support/platforms/scriptedPlatform.ts'
import { clickRun, expect, test } from '#support/workflowFixtures.ts'

/** 200 KB each. Without a bound their layout takes 10 to 60 s. */
const LONG_RUNS = {
  'one word': 'a'.repeat(200_000),
  base64: Buffer.from(Array.from({ length: 150_000 }, (_, index) => (index * index * 31) % 251)).toString('base64'),
  'accents on one letter': `a${'\u0301'.repeat(100_000)}`,
  'joined letters': '\u0628'.repeat(100_000),
}
const MARKDOWN: Record<string, (text: string) => string> = {
  p: (text) => text,
  strong: (text) => `**${text}**`,
  'p code': (text) => `\`${text}\``,
  'a[target]': (text) => `[${text}](https://example.com)`,
  h3: (text) => `# ${text}`,
  li: (text) => `- ${text}`,
  blockquote: (text) => `> ${text}`,
  td: (text) => `| a |\n| - |\n| ${text} |`,
  'pre code': (text) => `\`\`\`js\n${text}\n\`\`\``,
}
const DATASET = '11111111-1111-4111-8111-111111111111'
/** A busy machine takes up to 1 s. */
const MAX_FREEZE_MS = 5_000

test.beforeEach(({ signedInPage }) =>
  signedInPage.addInitScript(() => {
    let last = performance.now()
    const measured = Object.assign(window, { longestFreezeMs: 0 })
    setInterval(() => {
      const now = performance.now()
      measured.longestFreezeMs = Math.max(measured.longestFreezeMs, now - last)
      last = now
    }, 20)
  }),
)

const answerChat =
  (answer: string, metadata = {}): PlatformScript =>
  (seen, response) =>
    seen.path.endsWith('/chat-messages') ? sendAnswer(response, answer, metadata) : void response.writeHead(404).end()

/** The layout of what has been drawn has ended, and the page has always responded. */
async function expectNoFreeze(page: Page, place: string): Promise<void> {
  const ms = await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const { longestFreezeMs } = window as unknown as { longestFreezeMs: number }
    Object.assign(window, { longestFreezeMs: 0 })
    return longestFreezeMs
  })
  expect(ms, place).toBeLessThan(MAX_FREEZE_MS)
}

for (const [kind, run] of Object.entries(LONG_RUNS)) {
  test(`answers, a question and a source of ${kind} freeze nothing`, async ({
    signedInPage: page,
    loupe,
    faultyWorkspace: { id, chatKey, chat, platform },
  }) => {
    for (const [selector, write] of Object.entries(MARKDOWN)) {
      await page.goto(chat)
      platform.script = answerChat(`${write(run)}\n\n\nThe end.`)
      await askQuestion(page)
      await expect(lastAnswer(page).getByText('The end.')).toBeVisible()
      await expect(lastAnswer(page)).toContainText(run.slice(0, 100))
      // A link of base64 costs the parser too much: it is plain.
      const plain = lastAnswer(page).getByRole('button', { name: 'Render anyway' })
      await expect(lastAnswer(page).locator(selector).or(plain).first()).toBeAttached()
      await expectNoFreeze(page, selector)
    }
    await lastAnswer(page).getByRole('button', { name: 'Raw' }).click()
    await expectNoFreeze(page, 'raw')

    const source = { position: 1, dataset_id: DATASET, document_id: DATASET, segment_id: DATASET }
    const named = { ...source, dataset_name: run, document_name: run, content: run }
    platform.script = answerChat('Read [1].', { retriever_resources: [named] })
    // Typing it would measure the field.
    const run_id = crypto.randomUUID()
    const sent = await page.request.post(`${loupe.url}/api/keys/${chatKey}/chat-messages`, {
      headers: { 'x-console': '1', 'run-id': run_id },
      data: { query: run, user: 'spec', inputs: {}, response_mode: 'streaming' },
    })
    expect(await sent.text()).toContain('Read [1].')
    await page.goto(`${loupe.url}/runs/${run_id}?tab=sources`)
    await expect(page.getByText('Read', { exact: false }).first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Question' })).toContainText(run.slice(0, 100))
    await expectNoFreeze(page, 'question and source')
    await page.goto(`${loupe.url}/runs?workspace=${id}`)
    await expect(page.locator(`a[href*="${run_id}"]`).first()).toBeVisible()
    await expectNoFreeze(page, 'list of runs')
  })

  test(`a form of ${kind} freezes nothing`, async ({ signedInPage: page, formApp: { app, url } }) => {
    app.content = `${run}\n\n{{#$output.comment#}}`
    const value = { type: 'constant', selector: [], value: run }
    app.inputs = [{ output_variable_name: 'comment', type: 'paragraph', default: value }]
    app.actions = [{ id: 'approve', title: run, button_style: 'primary' }]
    await page.goto(url)
    await clickRun(page)
    await expect(page.getByRole('textbox', { name: 'comment' })).toBeVisible()
    await expectNoFreeze(page, 'form')
  })
}
