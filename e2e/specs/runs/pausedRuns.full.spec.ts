import type { Page } from '@playwright/test'
import { findSeriousViolations, measureOverflow } from '#support/accessibility.ts'
import { signIn } from '#support/fixtures.ts'
import { readAppKeys } from '#support/appKeys.ts'
import { clickRun, expect, test } from '#support/workflowFixtures.ts'

const findForm = (page: Page) => page.getByRole('region', { name: 'Form: Ask a person' })

/** Starts a run that waits for its form. */
async function pauseRun(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await clickRun(page)
  await expect(findForm(page)).toBeVisible()
}

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
