import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'

const PASSWORD = 'a quiet lens on paper'

test('a person is invited with one app: what the grant excludes stands in its place and says why', async ({
  signedInPage,
  loupe,
  browser,
}) => {
  await signedInPage.goto(`${loupe.url}/people`)
  await signedInPage.getByRole('button', { name: 'Invite a person' }).click()
  const invitation = signedInPage.getByRole('dialog', { name: 'Invite a person' })
  await invitation.getByRole('textbox', { name: 'Name' }).fill('Gwen Ashby')
  await invitation.getByRole('radio', { name: 'operator' }).check()
  await expect(invitation.getByText(/exports: runs, ledger, batches, annotations/)).toBeVisible()
  await invitation.getByRole('radio', { name: 'Selected workspaces and apps' }).check()
  await invitation.getByRole('checkbox', { name: 'Handbook assistant (chat)' }).check()
  await expectAccessible(signedInPage)
  await invitation.getByRole('button', { name: 'Create link' }).click()
  const link = (await signedInPage.getByRole('textbox', { name: 'One-time link' }).textContent()) ?? ''
  await signedInPage.getByRole('button', { name: 'Done' }).click()
  await expect(signedInPage.getByRole('row', { name: /Gwen Ashby/ })).toContainText('1 grant')
  await signedInPage.goto(`${loupe.url}/people/audit`)
  await expect(signedInPage.getByRole('row', { name: /person.invited.*Gwen Ashby/ })).toContainText(
    'access: Handbook assistant in Built-in platform',
  )

  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm new password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  // The first page is Home, and the navigation has words.
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Navigation' })
  const datasets = navigation.getByRole('link', { name: 'Datasets' })
  await expect(datasets).toBeDisabled()
  await expect(navigation.getByRole('link', { name: 'Workflows' })).toBeDisabled()
  await expect(navigation.getByRole('link', { name: 'People' })).toHaveCount(0)
  // The focus of whoever uses the keyboard.
  await page.keyboard.press('Tab')
  await datasets.focus()
  await expect(page.getByRole('tooltip')).toHaveText(
    'Your grants for Built-in platform do not include this. Granted to you: Handbook assistant (chat).',
  )
  await expectAccessible(page)

  // By its address too: no claim that there is nothing, no button that cannot work.
  await page.goto(`${loupe.url}/datasets`)
  await expect(page.getByText('Your grants for Built-in platform do not include this')).toBeVisible()
  await expect(page.getByText(/Granted to you: Handbook assistant \(chat\)\. An admin can grant more\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'New dataset' })).toHaveCount(0)
  for (const path of ['', '/settings', '/documents/4f1c7f0e-7f0b-4c39-8c8b-0d2f6f6f4a11']) {
    await page.goto(`${loupe.url}/datasets/0f1c7f0e-7f0b-4c39-8c8b-0d2f6f6f4a11${path}`)
    await expect(page.getByText('Your grants for Built-in platform do not include this')).toBeVisible()
  }
  await page.goto(`${loupe.url}/workflows`)
  await expect(page.getByText('Your grants for Built-in platform do not include this')).toBeVisible()
  await page.goto(`${loupe.url}/annotations`)
  await expect(page.getByRole('button', { name: 'New annotation' }).first()).toBeVisible()
  await context.close()
})
