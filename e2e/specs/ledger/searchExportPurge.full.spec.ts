import type { Page } from '@playwright/test'
import {
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test, type FaultyWorkspace } from '#support/fixtures.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'

const CHINESE_QUESTION = '黑曜石灯怎么清洗？'

const FORMULA_QUESTION = '=HYPERLINK("http://x.example") is what?'

const QUOTA_MESSAGE = 'The quota of model zebra-9 is exceeded.'

test('the runs of one end user are erased, and those of others stay', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  await createRuns(signedInPage, loupe, faultyWorkspace)
  await createRuns(signedInPage, loupe, faultyWorkspace, 'ada')
  await signedInPage.goto(`${loupe.url}/ledger/retention?workspace=${faultyWorkspace.id}`)
  await signedInPage.getByRole('button', { name: 'Set to now' }).click()
  await expect(signedInPage.getByText('6 calls before that moment.')).toBeVisible()
  await signedInPage.getByRole('textbox', { name: 'End user' }).fill('ada')
  await expect(signedInPage.getByText('3 runs of ada before that moment.')).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Purge' }).click()
  const confirmation = signedInPage.getByRole('dialog', { name: /^Delete all runs of the end user ada in / })
  await expect(confirmation.getByRole('list', { name: 'What is kept' })).toContainText('rows of batches')
  await expectAccessible(signedInPage)
  await confirmation.getByRole('button', { name: 'Delete the runs of ada' }).click()
  await expect(signedInPage.getByText(/3 calls deleted so far/)).toBeVisible()
  await signedInPage.goto(`${loupe.url}/ledger?workspace=${faultyWorkspace.id}`)
  await expect(signedInPage.getByRole('row').filter({ has: signedInPage.getByRole('link') })).toHaveCount(3)
})

/** Three runs: one that fails, one whose words are a formula, one in Chinese, whose id it gives. */
async function createRuns(
  signedInPage: Page,
  loupe: LoupeProcess,
  { platform, chatKey }: FaultyWorkspace,
  user = 'spec',
): Promise<string> {
  platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    if (seen.body.includes('fail'))
      return sendError(response, 400, { code: 'provider_quota_exceeded', message: QUOTA_MESSAGE })
    const ids = createAnswerIds()
    openStream(response)
    for (const word of ['用软布', '擦拭', '。']) response.write(toMessageBlock(ids, word))
    response.end(toMessageEndBlock(ids, {}))
  }
  let run_id = ''
  for (const query of ['Why did it fail?', FORMULA_QUESTION, CHINESE_QUESTION]) {
    run_id = crypto.randomUUID()
    const response = await signedInPage.request.post(`${loupe.url}/api/keys/${chatKey}/chat-messages`, {
      headers: { 'x-console': '1', 'run-id': run_id },
      data: { query, user, inputs: {}, response_mode: 'streaming' },
    })
    await response.text()
  }
  return run_id
}
