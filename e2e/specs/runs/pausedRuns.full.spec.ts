import type { Page } from '@playwright/test'
import { findSeriousViolations, measureOverflow } from '#support/accessibility.ts'
import { signIn } from '#support/fixtures.ts'
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
  await expect(form).toContainText('Answered outside this console: Approve')
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
  await expect(findForm(page)).toContainText('This form expired 1h ago.')
  await expect(findForm(page).getByRole('button', { name: 'Approve' })).toHaveCount(0)
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
