import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'
import {
  createAnswerIds,
  openStream,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'

test('an app of the workspace judges an answer, and its reason leads to the run in which it did', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace,
}) => {
  faultyWorkspace.platform.script = ({ method, body }, response) => {
    if (method !== 'POST') return sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
    const { query } = JSON.parse(body) as { query: string }
    const ids = createAnswerIds()
    openStream(response)
    const judgement = 'Here it is: {"pass": false, "score": 0.2, "reason": "It names no period."}'
    response.write(toMessageBlock(ids, query.startsWith('You judge') ? judgement : 'Soon.'))
    response.end(toMessageEndBlock(ids))
  }
  await page.goto(`${loupe.url}/suites?workspace=${faultyWorkspace.id}`)
  await page.getByRole('button', { name: 'New suite' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New suite' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Judged')
  await dialog.getByRole('button', { name: 'Create suite' }).click()
  await page.getByRole('button', { name: 'Add case' }).click()
  const editor = page.getByRole('dialog', { name: 'Add case' })
  await editor.getByRole('textbox', { name: 'Question', exact: true }).fill('When can I return it?')
  await editor.getByRole('button', { name: 'Add check' }).click()
  await editor.getByRole('combobox', { name: 'What is checked' }).selectOption('pairwise')
  await expect(editor.getByRole('combobox', { name: 'Compared with' })).toHaveValue('expected')
  await editor.getByRole('combobox', { name: 'What is checked' }).selectOption('llm-rubric')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByText('is required for llm-rubric')).toBeVisible()
  await editor.getByRole('combobox', { name: 'Judge' }).selectOption(faultyWorkspace.chatKey)
  await editor.getByRole('textbox', { name: 'Text' }).fill('names a period')
  await expectAccessible(page)
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toBeHidden()

  await page.getByRole('button', { name: 'Run suite' }).click()
  const results = page.getByRole('table', { name: 'Results' })
  await expect(results.getByRole('row', { name: /When can I return it/ })).toContainText('It names no period.')
  await expectAccessible(page)
  await results.getByRole('link', { name: /of the judge, llm-rubric of row 1/ }).click()
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/)
  await expect(page.getByText('You judge what an app has answered.').first()).toBeVisible()
})
