import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, type FaultyWorkspace, test as base } from '#support/fixtures.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { PNG } from '#support/png.ts'
import {
  createAnswerIds,
  openStream,
  ScriptedPlatform,
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'

/** `other` is a host that answers may name, which is no platform. */
const test = base.extend<object, { other: ScriptedPlatform }>({
  other: [
    async ({}, use) => {
      const other = await ScriptedPlatform.start()
      await use(other)
      await other.close()
    },
    { scope: 'worker' },
  ],
  loupe: [
    async ({ other }, use) => {
      const loupe = await LoupeProcess.fromTemplate({ EGRESS_ALLOW: new URL(other.url).host }).start()
      await use(loupe)
      await loupe.remove()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

test('formulas are rendered with fonts of our own, and nothing violates the policy of the page', async ({
  signedInPage: page,
  faultyWorkspace,
  loupe,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  answerWith(faultyWorkspace, [
    'Energy is $E = m_0 c^2$, and \\(a^2',
    ' + b^2\\) too. It costs $5 or $6.\n\n$$\n\\sum_{i=1}^n i = \\fr',
    'ac{n(n+1)}{2}\n$$\n\n\\[ \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\]\n\nOdd: $\\frac{a}_{$ it is.',
  ])
  await page.goto(faultyWorkspace.chat)
  expect(requested.filter((url) => /katex/i.test(url))).toEqual([])
  await ask(page, 'Formulas?')
  await expect(answers(page).getByRole('math')).toHaveCount(4)
  await expect(answers(page).getByRole('math').first()).toHaveAttribute('aria-label', '$E = m_0 c^2$')
  await expect(answers(page).locator('.katex-display')).toHaveCount(2)
  await expect(answers(page)).toContainText('It costs $5 or $6.')
  await expect(answers(page)).toContainText('Odd: $\\frac{a}_{$ it is.')
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.fonts].some(({ family, status }) => /KaTeX/.test(family) && status === 'loaded'),
      ),
    )
    .toBe(true)
  expect(requested.filter((url) => !url.startsWith(loupe.url))).toEqual([])
  expect(requested.filter((url) => /KaTeX.*\.(woff|ttf)$/.test(url))).toEqual([])
})

test('pictures come through the server: the platform’s own at once, others after a click, and files are saved there', async ({
  signedInPage: page,
  faultyWorkspace,
  loupe,
  other,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const remote = `${new URL(other.url).origin}/beacon.png?q=secret`
  const report = {
    id: randomUUID(),
    type: 'document',
    url: '/files/report.pdf?sign=2',
    filename: 'report.pdf',
    size: 2_048,
  }
  answerWith(
    faultyWorkspace,
    [`Own ![a lamp](/files/tools/lamp.png?sign=1)\n\nOther ![a beacon](${remote})\n\nGone ![a ghost](/files/gone.png)`],
    [
      {
        event: 'message_file',
        id: randomUUID(),
        type: 'image',
        belongs_to: 'assistant',
        url: '/files/tools/chart.png?sign=3',
      },
      { event: 'message_file', belongs_to: 'assistant', ...report },
    ],
    ({ path }, response) => {
      if (path.startsWith('/files/gone')) return void response.writeHead(403).end('{"message":"expired"}')
      response.writeHead(200, { 'content-type': path.includes('.pdf') ? 'application/pdf' : 'image/png' }).end(PNG)
    },
  )
  other.script = (_seen, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
  await page.goto(faultyWorkspace.chat)
  await ask(page, 'Pictures?')
  const lamp = answers(page).getByRole('img', { name: 'a lamp' })
  await expect.poll(() => lamp.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await expect(answers(page).getByText('could not be loaded')).toBeVisible()
  const files = answers(page).getByRole('list', { name: 'Files of the answer' })
  await expect(files.getByRole('img')).toHaveCount(1)
  expect(other.requests).toEqual([])
  await expect(answers(page).getByRole('img', { name: 'a beacon' })).toHaveCount(0)
  await answers(page).getByRole('button', { name: 'Load image' }).click()
  const beacon = answers(page).getByRole('img', { name: 'a beacon' })
  await expect.poll(() => beacon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  expect(
    other.requests.map(({ headers }) => [headers['authorization'], headers['cookie'], headers['referer']]),
  ).toEqual([[undefined, undefined, undefined]])
  const saving = page.waitForEvent('download')
  await files.getByRole('link', { name: 'report.pdf' }).click()
  expect((await saving).suggestedFilename()).toBe('report.pdf')
  await expect(files).toContainText('2.0 kB')
  expect(requested.filter((url) => !url.startsWith(`${loupe.url}/`) && !url.startsWith('blob:'))).toEqual([])
})

test('lists, quotations and tables begin where their first letter does', async ({
  signedInPage: page,
  faultyWorkspace,
}) => {
  answerWith(faultyWorkspace, [
    '- بند\n\n1. أولا\n\n> اقتباس\n\n| العمود | القيمة |\n|-|-|\n| السعر | 12 |\n\n- left\n\n> left',
  ])
  await page.goto(faultyWorkspace.chat)
  await ask(page, 'Arabic?')
  const directionOf = (selector: string) =>
    answers(page)
      .locator(selector)
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction))
  expect(await directionOf('ul, ol, blockquote, table')).toEqual(['rtl', 'rtl', 'rtl', 'rtl', 'ltr', 'ltr'])
  const columns = await answers(page)
    .locator('th, td')
    .evaluateAll((cells) =>
      cells.map((cell) => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        return Math.round(text.getBoundingClientRect().right)
      }),
    )
  const [first = 0, second = 0] = columns
  expect(columns).toEqual([first, second, first, second])
  expect(first).toBeGreaterThan(second)
})

function answerWith(
  { platform }: FaultyWorkspace,
  words: string[],
  events: Record<string, unknown>[] = [],
  getFile: ScriptedPlatform['script'] = (_seen, response) => void response.writeHead(404).end(),
): void {
  platform.script = async (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return getFile(seen, response)
    const ids = createAnswerIds()
    openStream(response)
    for (const event of events) response.write(toEventBlock({ ...ids, ...event }))
    for (const word of words) {
      response.write(toMessageBlock(ids, word))
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    response.end(toMessageEndBlock(ids))
  }
}

async function ask(page: Page, query: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(query)
  await page.keyboard.press('Enter')
  await expect(answers(page).getByRole('button', { name: 'Regenerate' })).toBeVisible()
}

const answers = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
