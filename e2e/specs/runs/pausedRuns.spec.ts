import type { Page } from '@playwright/test'
import { findSeriousViolations, measureOverflow } from '#support/accessibility.ts'
import { FormPlatform } from '#support/platforms/formPlatform.ts'
import { expect, signIn, test as base } from '#support/fixtures.ts'
import { readAppKeys } from '#support/appKeys.ts'
import { addKey, clickRun } from '#support/workflowFixtures.ts'

/** A workspace whose platform has one workflow app that asks a person. */
const test = base.extend<{ formApp: { app: FormPlatform; workspace: string; key: string; url: string } }>({
  formApp: async ({ signedInPage, loupe, faultyWorkspace }, use) => {
    const app = new FormPlatform()
    faultyWorkspace.platform.script = app.script
    const key = await addKey(signedInPage, loupe, faultyWorkspace.id, {
      label: 'Approval',
      key: 'app-of-the-approval-workflow',
    })
    const url = `${loupe.url}/workflows?workspace=${faultyWorkspace.id}&app=${key}`
    await use({ app, workspace: faultyWorkspace.id, key, url })
  },
})

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

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious in a form and in its errors, also on a phone: ${scheme}`, async ({
    signedInPage: page,
    loupe,
    formApp: { url },
  }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await pauseRun(page, url)
    const run_id = new URL(page.url()).searchParams.get('run')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      for (const path of [`/runs/${run_id}`, '/waiting', '/']) {
        await page.goto(loupe.url + path)
        if (path.startsWith('/runs')) {
          await findForm(page).getByRole('button', { name: 'Reject' }).click()
          await expect(findForm(page).getByText('tone is required.')).toBeVisible()
        } else await expect(page.getByText('Ask a person').first()).toBeVisible()
        expect(await findSeriousViolations(page), `${path} at ${width}`).toEqual([])
        const overflow = await measureOverflow(page)
        expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0)
      }
    }
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

test('what is typed stays readable when the form is answered elsewhere', async ({
  signedInPage: page,
  formApp: { app, url },
}) => {
  await pauseRun(page, url)
  const form = findForm(page)
  await form.getByRole('textbox', { name: 'comment' }).fill('A long thought of mine.')
  await page.reload()
  await expect(form.getByRole('textbox', { name: 'comment' })).toHaveValue('A long thought of mine.')
  app.answerAtPlatform()
  await expect(form).toContainText('Answered elsewhere: Approve')
  await expect(form).toContainText('Your input was not sent.')
  await expect(form).toContainText('A long thought of mine.')
  await expect(form.getByRole('textbox')).toHaveCount(0)
  await form.getByRole('button', { name: 'Discard' }).click()
  await expect(form).not.toContainText('A long thought of mine.')
})

test('an expired form says so and takes no answer', async ({ signedInPage: page, formApp: { app, url } }) => {
  app.state = 'expired'
  app.expiration_time = Math.floor(Date.now() / 1000) - 3600
  await pauseRun(page, url)
  await expect(findForm(page)).toContainText('This form has expired 1h ago.')
  await expect(findForm(page).getByRole('button', { name: 'Approve' })).toHaveCount(0)
})

test('a form that is delivered by e-mail cannot be answered here', async ({
  signedInPage: page,
  formApp: { app, url },
}) => {
  app.hasToken = false
  await pauseRun(page, url)
  await expect(findForm(page)).toContainText('This form is delivered by e-mail and cannot be answered here.')
  await expect(findForm(page).getByRole('button', { name: 'Approve' })).toBeDisabled()
})

test('of two people who answer at once one wins, and the other reads who', async ({
  signedInPage: page,
  browser,
  loupe,
  formApp: { app, url },
}) => {
  await pauseRun(page, url)
  const other = await (await browser.newContext()).newPage()
  await signIn(other, loupe)
  await other.goto(page.url())
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let isFirst = true
  app.holdBack = async () => {
    if (!isFirst) return
    isFirst = false
    arrived.resolve()
    await released.promise
  }
  for (const [one, comment] of [
    [page, 'first'],
    [other, 'second'],
  ] as const) {
    await findForm(one).getByRole('textbox', { name: 'comment' }).fill(comment)
    await findForm(one).getByRole('combobox', { name: 'tone' }).selectOption('warm')
  }
  await findForm(page).getByRole('button', { name: 'Approve' }).click()
  await arrived.promise
  await findForm(other).getByRole('button', { name: 'Reject' }).click()
  await expect(findForm(other)).toContainText(/Answered here by .+: Reject/)
  released.resolve()
  await expect(findForm(page)).toContainText(/Answered here by .+: Reject/)
  await expect(findForm(page)).toContainText('Your input was not sent.')
  await expect(findForm(page)).toContainText('first')
  expect(app.answers).toMatchObject([{ inputs: { comment: 'second' } }])
  await other.context().close()
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

test('a run of the built-in platform that is answered by another client goes on by itself', async ({
  signedInPage: page,
  loupe,
}) => {
  const { data } = (await (await page.request.get(`${loupe.url}/api/workspaces`)).json()) as {
    data: { id: string; base_url: string; builtin: boolean; keys: { id: string; label: string }[] }[]
  }
  const workspace = data.find(({ builtin }) => builtin)
  const app = workspace?.keys.find(({ label }) => label === 'Approval')
  const started = await page.request.post(`${loupe.url}/api/keys/${app?.id}/workflows/run`, {
    headers: { 'x-console': '1' },
    data: { inputs: { request: 'A new lamp.' }, user: 'mira', response_mode: 'blocking' },
  })
  expect(started.status(), await started.text()).toBe(200)
  const run_id = started.headers()['run-id'] ?? ''
  const reply = (await started.json()) as { data: { reasons: { form_token: string }[] } }
  const token = reply.data.reasons[0]?.form_token
  await page.goto(`${loupe.url}/runs/${run_id}`)
  const form = page.getByRole('region', { name: /^Form: / })
  await expect(form.getByRole('button').first()).toBeEnabled()
  const answered = await page.request.post(`${workspace?.base_url}/form/human_input/${token}`, {
    headers: { authorization: `Bearer ${readAppKeys(loupe)['workflow-approval']}` },
    data: {
      inputs: { subject: 'A lamp', comment: 'By another client.', priority: 'high' },
      action: 'send_back',
      user: 'somebody',
    },
  })
  expect(answered.status(), await answered.text()).toBe(200)
  await expect(form).toContainText('Answered elsewhere: Send back')
  await expect(form).toContainText('By another client.')
  await expect(page.getByRole('region', { name: 'Outputs' }).first()).toContainText('Sent back: A lamp')
  await expect(page.getByRole('main')).not.toContainText('waits for a person')
})
