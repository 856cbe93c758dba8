import type { Page } from '@playwright/test'
import { expectAccessible } from '#support/documentFixtures.ts'
import { seededRandom } from '#support/seededRandom.ts'
import { answerWithStreams, ScriptedStream } from '#support/platforms/scriptedStream.ts'
import { expect, test } from '#support/fixtures.ts'

const PASSWORD = 'a lamp over the long quay'

test('somebody comes in by a link, sees what a viewer may, and is out while a stream goes on', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
  browser,
}) => {
  const guestContext = await browser.newContext()
  const guest = await guestContext.newPage()

  await signedInPage.goto(`${loupe.url}/people`)
  await signedInPage.getByRole('button', { name: 'Invite a person' }).click()
  await signedInPage.getByRole('button', { name: 'Create link' }).click()
  await expect(signedInPage.getByText('is required')).toBeVisible()
  await signedInPage.getByRole('textbox', { name: 'Name' }).fill('Vera Lindt')
  await expectAccessible(signedInPage)
  await signedInPage.getByRole('button', { name: 'Create link' }).click()
  const link = await signedInPage.getByRole('textbox', { name: 'One-time link' }).innerText()
  await expectAccessible(signedInPage)
  await signedInPage.getByRole('button', { name: 'Done' }).click()
  await expectAccessible(signedInPage)

  await guest.goto(link)
  await expect(guest.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
  await choosePassword(guest, 'short')
  await expect(guest.getByText('must have at least 12 characters')).toBeVisible()
  await expectAccessible(guest)
  await choosePassword(guest, PASSWORD)
  await expect(guest.getByRole('heading', { name: 'Choose a password' })).toBeHidden()
  await guest.evaluate(() => sessionStorage.setItem('a draft', 'words that were not sent'))
  await guest.getByRole('button', { name: 'Sign out' }).click()

  await guest.getByRole('textbox', { name: 'Name' }).fill('vera lindt')
  expect(await guest.evaluate(() => Object.keys(sessionStorage)), 'nothing typed stays in the tab').toEqual([])
  await guest.getByLabel('Password', { exact: true }).fill('not the one')
  await guest.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(guest.getByText('The name or password is wrong.')).toBeVisible()
  await expectAccessible(guest)
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await guest.getByRole('button', { name: 'Sign in', exact: true }).click()
  const navigation = guest.getByRole('navigation', { name: 'Navigation' })
  await expect(navigation.getByRole('link', { name: 'Workspaces and keys' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'People' })).toHaveCount(0)
  await guest.goto(`${loupe.url}/people/audit`)
  await expect(guest.getByText('Only admins can read the audit log.')).toBeVisible()
  await guest.goto(`${loupe.url}/account`)
  await expect(
    guest.getByRole('region', { name: 'Sessions' }).getByRole('cell', { name: 'this session' }),
  ).toBeVisible()
  await expectAccessible(guest)

  const tokens = guest.getByRole('region', { name: 'Access tokens' })
  await tokens.getByRole('textbox', { name: 'Token name' }).fill('nightly')
  await tokens.getByLabel('Your password').fill('not the one')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  await expect(tokens.getByText('is not right')).toBeVisible()
  await expectAccessible(guest)
  await tokens.getByLabel('Your password').fill(PASSWORD)
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const token = await tokens.getByRole('textbox', { name: 'New token, shown only once' }).innerText()
  const script = async () =>
    (await fetch(`${loupe.url}/api/session`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await script()).toBe(200)
  const password = guest.getByRole('region', { name: 'Password' })
  await expect(password.getByRole('checkbox', { name: 'Also revoke my access tokens' })).toBeChecked()
  await password.getByLabel('Current password').fill(PASSWORD)
  await password.getByLabel('New password', { exact: true }).fill(`${PASSWORD}, again`)
  await password.getByLabel('Confirm new password').fill(`${PASSWORD}, again`)
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(guest.getByRole('status').filter({ hasText: 'Password changed.' })).toBeVisible()
  expect(await script(), 'the token ended with the password').toBe(401)
  await expect(tokens.getByText('No access tokens.')).toBeVisible()

  const talk = new ScriptedStream(seededRandom(1), 250)
  answerWithStreams(faultyWorkspace.platform, [talk])
  await signedInPage.goto(faultyWorkspace.chat)
  await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('Which lamp burns longest?')
  await signedInPage.keyboard.press('Control+Enter')
  await talk.started
  await guest.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}`)
  await guest.getByRole('link', { name: 'Which lamp burns longest?' }).click()
  await expect(guest.getByRole('main'), 'what streams is seen').toContainText(talk.text.split(' ')[0] ?? 'x')

  await signedInPage.goto(`${loupe.url}/people`)
  await signedInPage.getByRole('button', { name: 'Edit admin' }).click()
  await expect(signedInPage.getByRole('button', { name: 'End all sessions' })).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: 'New sign-in link' }), 'not for oneself').toHaveCount(0)
  await signedInPage.getByRole('button', { name: 'Cancel' }).click()
  await signedInPage.getByRole('button', { name: 'Edit Vera Lindt' }).click()
  await expectAccessible(signedInPage)
  await signedInPage.getByRole('button', { name: 'Disable' }).click()
  await expect(guest.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Cancel' }).click()
  await expect(signedInPage.getByRole('row', { name: /Vera Lindt/ })).toContainText('disabled')

  await signedInPage.getByRole('link', { name: 'Audit log' }).click()
  const log = signedInPage.getByRole('table', { name: 'Audit log' })
  for (const action of ['person.invited', 'account.password', 'session.refused', 'session.begun', 'person.disabled'])
    await expect(log.getByRole('cell', { name: action, exact: true }).first()).toBeVisible()
  await expectAccessible(signedInPage)
  talk.end()
  await guestContext.close()
})

async function choosePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
}
