import type { Page } from '@playwright/test'
import type { ServerResponse } from 'node:http'
import { toMessageBlock, toMessageEndBlock, createAnswerIds, openStream } from '#support/platforms/scriptedPlatform.ts'
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
    response.end(toMessageEndBlock(ids))
  }
  await signedInPage.goto(faultyWorkspace.chat)
  await send(signedInPage)
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
  await send(signedInPage)
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

async function send(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill('What gap?')
  await page.keyboard.press('Control+Enter')
}

const lastAnswer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
