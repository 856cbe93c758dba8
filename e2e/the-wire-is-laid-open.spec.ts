import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { ServerResponse } from 'node:http'
import { message, messageEnd, newIds, openStream } from './faults/platform.ts'
import { expect, test, type Workspace } from './fixtures.ts'

const words = ['Keep the ', 'seat ', 'gap ', '**below 0.35 mm**', ', measured ', 'cold [1].\n\n', '校准 ', 'weekly.']
const source = {
  position: 1,
  dataset_id: '11111111-1111-4111-8111-111111111111',
  dataset_name: 'Handbook',
  document_id: '22222222-2222-4222-8222-222222222222',
  document_name: 'Manual',
  segment_id: '33333333-3333-4333-8333-333333333333',
  content: 'The gap at the seat stays below 0.35 mm. 每周校准一次。',
}
const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29, total_price: '0.00410', currency: 'USD' }

test('a frame has the marker in the list, the strip, its data and the answer, and words lead back to it', async ({
  desk,
  faults,
}) => {
  await answered(desk, faults)
  await desk.getByRole('tab', { name: /^Frames/ }).click()
  const grid = desk.getByRole('grid', { name: 'Frames' })
  await expect(grid.getByRole('row')).toHaveCount(11)
  await grid.getByRole('button', { name: '5', exact: true }).click()
  const marked = answer(desk).locator('mark')
  await expect(marked).toHaveText('below 0.35 mm#5')
  await expect(grid.getByRole('row', { selected: true })).toContainText('below 0.35 mm')
  await expect(desk.getByText('adds 17 characters at 18')).toBeVisible()
  await expect(desk.getByRole('region', { name: 'Data of frame 5' })).toContainText('"answer": "**below 0.35 mm**"')
  await expect(desk).toHaveURL(/frame=5/)

  // The paragraph is as wide as the answer; its second word begins some 40 px from its edge.
  await answer(desk)
    .getByText('weekly')
    .click({ position: { x: 58, y: 10 } })
  await expect(marked).toHaveText(['weekly.#9'])
  await desk.keyboard.press('Escape')
  await grid.focus()
  await desk.keyboard.press('ArrowUp')
  await expect(marked.last()).toHaveText('校准 #8')
  await desk.keyboard.press('Home')
  await expect(grid.getByRole('row', { selected: true })).toContainText('ping')
  await expect(marked).toHaveCount(0)

  await expect(desk).toHaveURL(/frame=1(&|$)/)
  await desk.keyboard.press('ArrowDown')
  await expect(desk).toHaveURL(/frame=2(&|$)/)
  await desk.reload()
  await expect(answer(desk).locator('mark')).toHaveText('Keep the #2')
  await seriousOf(desk)
})

test('what could not be parsed is kept as its bytes, and an endless answer folds', async ({ desk, faults }) => {
  faults.platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    const ids = newIds()
    openStream(response)
    for (let count = 1; count <= 60; count++) response.write(message(ids, `w${count} `))
    response.write('data: {"event": "mess\n\n')
    response.write(Buffer.concat([Buffer.from('data: '), Buffer.from([0xff, 0xfe, 0x41]), Buffer.from('\n\n')]))
    response.end(messageEnd(ids))
  }
  await desk.goto(faults.chat)
  await send(desk)
  await expect(answer(desk)).toContainText('w60')
  await expect(answer(desk)).toContainText('speed')
  await desk.getByRole('tab', { name: /^Frames/ }).click()
  // The list has followed the end of the run, where no fold is, if it was seen while that went on.
  await desk.getByRole('grid', { name: 'Frames' }).press('Home')
  await expect(desk.getByText('30 message frames folded, #1 to #30')).toBeVisible()
  await desk.getByRole('textbox', { name: 'Search the frames' }).fill('w12')
  await desk.getByRole('button', { name: '12', exact: true }).click()
  await expect(answer(desk).locator('mark')).toHaveText('w12 #12')
  await desk.getByRole('textbox', { name: 'Search the frames' }).fill('')
  await desk.getByRole('grid', { name: 'Frames' }).press('End')
  await desk.getByRole('button', { name: '62', exact: true }).click()
  await expect(desk.getByRole('region', { name: 'Bytes of frame 62' })).toContainText('ff fe 41')
  await desk.getByRole('button', { name: '61', exact: true }).click()
  await expect(desk.getByText('No JSON, shown as it came.')).toBeVisible()
})

test('request, reply, sources and usage show what was sent and came', async ({ desk, faults, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await answered(desk, faults)
  await desk.getByRole('tab', { name: 'Request' }).click()
  await expect(desk.getByRole('tabpanel')).toContainText(`POST ${faults.platform.url}/chat-messages`)
  await desk.getByRole('button', { name: 'Copy as curl' }).click()
  const curl = await desk.evaluate(() => navigator.clipboard.readText())
  expect(curl).toContain('Bearer $API_KEY')
  expect(curl).toContain(`'${faults.platform.url}/chat-messages'`)
  expect(curl).not.toContain('sentinel')
  await desk.getByRole('tab', { name: 'Reply' }).click()
  await expect(desk.getByRole('tabpanel')).toContainText('The reply was a stream of 10 frames')
  await desk.getByRole('tab', { name: /^Sources/ }).click()
  const card = desk.getByRole('tabpanel').getByRole('article')
  await expect(card.locator('mark')).toHaveText(['seat', 'below 0.35', '校准'])
  await expect(card).toContainText('not given')
  await expect(card.getByRole('link')).toHaveAttribute('href', /segment=33333333.*&run=/)
  await desk.getByRole('tab', { name: 'Usage' }).click()
  await expect(desk.getByRole('tabpanel')).toContainText('$0.00410')
  await seriousOf(desk)
})

test('an exported run holds no key and can be read again', async ({ desk, faults }) => {
  await answered(desk, faults)
  await desk.getByRole('tab', { name: /^Frames/ }).click()
  const download = desk.waitForEvent('download')
  await desk.getByRole('button', { name: 'Export the run as a file' }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text).not.toContain('sentinel')
  const file = JSON.parse(text) as { format: string; frames: { block: string }[]; request: { body: { query: string } } }
  expect(file).toMatchObject({ format: 'loupe.run', version: 1, request: { body: { query: 'What gap?' } } })
  expect(file.frames).toHaveLength(10)
})

test('at 390 px the inspector is a sheet with all columns', async ({ desk, faults }) => {
  await desk.setViewportSize({ width: 390, height: 844 })
  await answered(desk, faults)
  await desk.getByRole('button', { name: /10 frames, longest gap/ }).click()
  const sheet = desk.getByRole('dialog')
  await sheet.getByRole('tab', { name: /^Frames/ }).click()
  await expect(sheet.getByRole('columnheader')).toHaveText(['#', 'at s', 'gap', 'size', 'event and data'])
  await sheet.getByRole('button', { name: '4', exact: true }).click()
  await expect(answer(desk).locator('mark')).toHaveText('gap #4')
  await seriousOf(desk)
})

async function answered(desk: Page, { platform, chat }: Workspace): Promise<void> {
  platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages') ? speak(response) : void response.writeHead(404).end()
  await desk.goto(chat)
  await send(desk)
  await expect(answer(desk)).toContainText('weekly.')
  await expect(desk.getByText('first token').first()).toBeVisible()
}

function speak(response: ServerResponse): void {
  const ids = newIds()
  openStream(response)
  response.write('event: ping\n\n')
  for (const word of words) response.write(message(ids, word))
  response.end(messageEnd(ids, { usage, retriever_resources: [source] }))
}

async function send(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill('What gap?')
  await page.keyboard.press('Control+Enter')
}

async function seriousOf(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

const answer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
