import type { Page } from '@playwright/test'
import { clickRun, expect, test } from '#support/workflowFixtures.ts'

const findForm = (page: Page) => page.getByRole('region', { name: 'Form: Ask a person' })

/** Starts a run that waits for its form. */
async function pauseRun(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await clickRun(page)
  await expect(findForm(page)).toBeVisible()
}

test('a form is answered by keyboard on the page of its app, and the run goes on by itself', async ({
  signedInPage: page,
  formApp: { app, url },
}) => {
  await pauseRun(page, url)
  const form = findForm(page)
  await expect(form).toContainText('Please check: tea')
  await expect(form).toContainText('expires in 2d')
  const comment = form.getByRole('textbox', { name: 'comment' })
  await expect(comment).toHaveValue('fine')

  // The option is missing: the field says so and has the focus.
  await comment.fill('Well done.')
  await comment.press('Control+Enter')
  const tone = form.getByRole('combobox', { name: 'tone' })
  await expect(tone).toBeFocused()
  await expect(form.getByText('tone is required.')).toBeVisible()
  expect(app.answers).toEqual([])

  await page.keyboard.press('w')
  await expect(tone).toHaveValue('warm')
  await page.keyboard.press('Control+Enter')
  await expect(form).toContainText(/Answered here by .+: Approve/)
  await expect(form).toContainText('Well done.')
  expect(app.answers).toMatchObject([{ inputs: { comment: 'Well done.', tone: 'warm' }, action: 'approve' }])
  await expect(page.getByRole('region', { name: 'Outputs' }).first()).toContainText('Well done.')
})

test('a waiting run stands on its page, at home and in the navigation, and is called paused everywhere', async ({
  signedInPage: page,
  loupe,
  formApp: { app, url, workspace },
}) => {
  await pauseRun(page, url)
  const run_id = new URL(page.url()).searchParams.get('run') ?? ''
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Waiting/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Waiting' })).toBeVisible()
  const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${run_id}"]`) })
  await expect(row).toContainText('paused')
  await expect(row).toContainText('in 2d')
  await expect(row).toContainText('Approval')
  await expect(page.getByRole('navigation').getByRole('link', { name: /^Waiting/ })).toContainText(/\d/)

  await page.goto(loupe.url)
  const alerts = page.getByRole('region', { name: 'Alerts' })
  await expect(alerts.getByRole('listitem').filter({ hasText: 'Ask a person' }).first()).toContainText('paused')

  for (const path of ['runs', 'ledger']) {
    await page.goto(`${loupe.url}/${path}?workspace=${workspace}`)
    await expect(page.getByRole('row').filter({ hasText: 'paused' }).first()).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('interrupted')
  }

  // The form is answered on the run's own page as well.
  await page.goto(`${loupe.url}/waiting`)
  await row.getByRole('link').click()
  const form = findForm(page)
  await form.getByRole('combobox', { name: 'tone' }).selectOption('plain')
  await form.getByRole('button', { name: 'Reject' }).click()
  await expect(form).toContainText(/Answered here by .+: Reject/)
  expect(app.answers).toMatchObject([{ action: 'reject' }])
})

test('a chatflow shows its form in the transcript, and the answer goes on in the same turn', async ({
  signedInPage: page,
  loupe,
}) => {
  const { data } = (await (await page.request.get(`${loupe.url}/api/workspaces`)).json()) as {
    data: { id: string; builtin: boolean; keys: { id: string; label: string }[] }[]
  }
  const workspace = data.find(({ builtin }) => builtin)
  const app = workspace?.keys.find(({ label }) => label === 'Reviewed answer')
  await page.goto(`${loupe.url}/chat?workspace=${workspace?.id}&app=${app?.id}`)
  await page.getByRole('textbox', { name: 'Your question' }).fill('What is Loupe?')
  await page.keyboard.press('Control+Enter')
  const turn = page.getByRole('log').getByRole('article', { name: 'Answer' })
  await expect(turn).toContainText('A person reviews the answer first.')
  const form = turn.getByRole('region', { name: 'Form: Review the answer' })
  await expect(form).toContainText('Question: What is Loupe?')
  // The draft of the run is the text that the field begins with.
  const answer = form.getByRole('textbox', { name: 'answer' })
  await expect(answer).toHaveValue(/Loupe/)
  await answer.fill('Loupe is a console, says the reviewer.')
  await form.getByRole('textbox', { name: 'note' }).fill('Shortened.')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form).toContainText(/Answered here by .+: Send/)
  await expect(turn).toContainText('A person reviews the answer first.')
  await expect(turn.getByText('Loupe is a console, says the reviewer.').last()).toBeVisible()
  await expect(turn).not.toContainText('waits for a person')
  await expect(turn).not.toContainText('interrupted')
  await page.reload()
  await expect(turn).toContainText(/Answered here by .+: Send/)
})
