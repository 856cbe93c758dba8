import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { ServerResponse } from 'node:http'
import { askQuestion, lastAnswer } from '#support/chatPage.ts'
import {
  createAnswerIds,
  openStream,
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test, type FaultyWorkspace } from '#support/fixtures.ts'

const streamedWords = [
  'Keep the ',
  'seat ',
  'gap ',
  '**below 0.35 mm**',
  ', measured ',
  'cold [1].\n\n',
  '校准 ',
  'weekly.',
]

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
  signedInPage,
  faultyWorkspace,
}) => {
  await askAndWait(signedInPage, faultyWorkspace)
  await signedInPage.getByRole('tab', { name: /^Frames/ }).click()
  const grid = signedInPage.getByRole('grid', { name: 'Frames' })
  await expect(grid.getByRole('row')).toHaveCount(11)
  await grid.getByRole('button', { name: '5', exact: true }).click()
  const marked = lastAnswer(signedInPage).locator('mark')
  await expect(marked).toHaveText('below 0.35 mm#5')
  await expect(grid.getByRole('row', { selected: true })).toContainText('below 0.35 mm')
  await expect(signedInPage.getByText('adds 17 characters at 18')).toBeVisible()
  await expect(signedInPage.getByRole('region', { name: 'Data of frame 5' })).toContainText(
    '"answer": "**below 0.35 mm**"',
  )
  await expect(signedInPage).toHaveURL(/frame=5/)

  // The paragraph is as wide as the answer; its second word begins some 40 px from its edge.
  await lastAnswer(signedInPage)
    .getByText('weekly')
    .click({ position: { x: 58, y: 10 } })
  await expect(marked).toHaveText(['weekly.#9'])
  await signedInPage.keyboard.press('Escape')
  await grid.focus()
  await signedInPage.keyboard.press('ArrowUp')
  await expect(marked.last()).toHaveText('校准 #8')
  await signedInPage.keyboard.press('Home')
  await expect(grid.getByRole('row', { selected: true })).toContainText('ping')
  await expect(marked).toHaveCount(0)

  await expect(signedInPage).toHaveURL(/frame=1(&|$)/)
  await signedInPage.keyboard.press('ArrowDown')
  await expect(signedInPage).toHaveURL(/frame=2(&|$)/)
  await signedInPage.reload()
  await expect(lastAnswer(signedInPage).locator('mark')).toHaveText('Keep the #2')
  await expectAccessible(signedInPage)
})

test('request, reply, sources and usage show what was sent and came', async ({
  signedInPage,
  faultyWorkspace,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await askAndWait(signedInPage, faultyWorkspace)
  await signedInPage.getByRole('tab', { name: 'Request' }).click()
  await expect(signedInPage.getByRole('tabpanel')).toContainText(`POST ${faultyWorkspace.platform.url}/chat-messages`)
  await signedInPage.getByRole('button', { name: 'Copy as curl' }).click()
  await expect(signedInPage.getByText('Copied. The key is read from $API_KEY.').first()).toBeVisible()
  const curl = await signedInPage.evaluate(() => navigator.clipboard.readText())
  expect(curl).toContain('Bearer $API_KEY')
  expect(curl).toContain(`'${faultyWorkspace.platform.url}/chat-messages'`)
  expect(curl).not.toContain('sentinel')
  await signedInPage.getByRole('tab', { name: 'Response' }).click()
  await expect(signedInPage.getByRole('tabpanel')).toContainText('The response was a stream of 10 frames')
  await signedInPage.getByRole('tab', { name: /^Sources/ }).click()
  const card = signedInPage.getByRole('tabpanel').getByRole('article')
  await expect(card.locator('mark')).toHaveText(['seat', 'below 0.35', '校准'])
  await expect(card).toContainText('not given')
  await expect(card.getByRole('link')).toHaveAttribute('href', /segment=33333333.*&run=/)
  await signedInPage.getByRole('tab', { name: 'Usage' }).click()
  await expect(signedInPage.getByRole('tabpanel')).toContainText('$0.0041')
  await expectAccessible(signedInPage)
})

test('an exported run holds no key and can be read again', async ({ signedInPage, faultyWorkspace }) => {
  await askAndWait(signedInPage, faultyWorkspace)
  await signedInPage.getByRole('tab', { name: /^Frames/ }).click()
  const download = signedInPage.waitForEvent('download')
  await signedInPage.getByRole('button', { name: 'Export run as a file' }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text).not.toContain('sentinel')
  const file = JSON.parse(text) as { format: string; frames: { block: string }[]; request: { body: { query: string } } }
  expect(file).toMatchObject({ format: 'loupe.run', version: 1, request: { body: { query: 'What gap?' } } })
  expect(file.frames).toHaveLength(10)
})

test('what could not be parsed is kept as its bytes, and an endless answer folds', async ({
  signedInPage,
  faultyWorkspace,
}) => {
  faultyWorkspace.platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    const ids = createAnswerIds()
    openStream(response)
    for (let count = 1; count <= 60; count++) response.write(toMessageBlock(ids, `w${count} `))
    response.write('data: {"event": "mess\n\n')
    response.write(Buffer.concat([Buffer.from('data: '), Buffer.from([0xff, 0xfe, 0x41]), Buffer.from('\n\n')]))
    response.write(
      toEventBlock({ event: 'node_finished', data: { id: 'n', outputs: { text: 'x'.repeat(1_200_000) } } }),
    )
    response.end(toMessageEndBlock(ids))
  }
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage, 'What gap?')
  await expect(lastAnswer(signedInPage)).toContainText('w60')
  await expect(lastAnswer(signedInPage)).toContainText('speed')
  await signedInPage.getByRole('tab', { name: /^Frames/ }).click()
  // The list has followed the end of the run, where no fold is, if it was seen while that went on.
  await signedInPage.getByRole('grid', { name: 'Frames' }).press('Home')
  await expect(signedInPage.getByText('30 message frames collapsed, #1 to #30')).toBeVisible()
  await signedInPage.getByRole('textbox', { name: 'Search frames' }).fill('w12')
  await signedInPage.getByRole('button', { name: '12', exact: true }).click()
  await expect(lastAnswer(signedInPage).locator('mark')).toHaveText('w12 #12')
  await signedInPage.getByRole('textbox', { name: 'Search frames' }).fill('')
  await signedInPage.getByRole('grid', { name: 'Frames' }).press('End')
  await expect(
    signedInPage.getByRole('row', { name: /node_finished first 1,048,576 of 1,200,\d{3} bytes stored/ }),
  ).toBeVisible()
  await signedInPage.getByRole('button', { name: '62', exact: true }).click()
  await expect(signedInPage.getByRole('region', { name: 'Bytes of frame 62' })).toContainText('ff fe 41')
  await signedInPage.getByRole('button', { name: '61', exact: true }).click()
  await expect(signedInPage.getByText('Not JSON, shown as received.')).toBeVisible()
})

test('at 390 px the inspector is a sheet with all columns', async ({ signedInPage, faultyWorkspace }) => {
  await signedInPage.setViewportSize({ width: 390, height: 844 })
  await askAndWait(signedInPage, faultyWorkspace)
  await signedInPage.getByRole('button', { name: /10 frames, longest gap/ }).click()
  const sheet = signedInPage.getByRole('dialog')
  await sheet.getByRole('tab', { name: /^Frames/ }).click()
  await expect(sheet.getByRole('columnheader')).toHaveText(['#', 'at s', 'gap', 'size', 'event and data'])
  await sheet.getByRole('button', { name: '4', exact: true }).click()
  await expect(lastAnswer(signedInPage).locator('mark')).toHaveText('gap #4')
  await expectAccessible(signedInPage)
})

async function askAndWait(signedInPage: Page, { platform, chat }: FaultyWorkspace): Promise<void> {
  platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages') ? streamAnswer(response) : void response.writeHead(404).end()
  await signedInPage.goto(chat)
  await askQuestion(signedInPage, 'What gap?')
  await expect(lastAnswer(signedInPage)).toContainText('weekly.')
  await expect(signedInPage.getByText('first token').first()).toBeVisible()
}

function streamAnswer(response: ServerResponse): void {
  const ids = createAnswerIds()
  openStream(response)
  response.write('event: ping\n\n')
  for (const word of streamedWords) response.write(toMessageBlock(ids, word))
  response.end(toMessageEndBlock(ids, { usage, retriever_resources: [source] }))
}
