import type { Page } from '@playwright/test'
import { sound } from './chunks.ts'
import { chance } from './faults/chance.ts'
import { converse, Talk } from './faults/talk.ts'
import { expect, test } from './fixtures.ts'

const PASSWORD = 'a lamp over the long quay'

test('somebody comes in by a link, sees what a viewer may, and is out while a stream goes on', async ({
  desk,
  faults,
  loupe,
  browser,
}) => {
  test.setTimeout(240_000)
  const elsewhere = await browser.newContext()
  const guest = await elsewhere.newPage()

  await desk.goto(`${loupe.url}/people`)
  await desk.getByRole('button', { name: 'Invite a person' }).click()
  await desk.getByRole('button', { name: 'Make the link' }).click()
  await expect(desk.getByText('is required')).toBeVisible()
  await desk.getByRole('textbox', { name: 'Name' }).fill('Vera Lindt')
  await sound(desk)
  await desk.getByRole('button', { name: 'Make the link' }).click()
  const link = await desk.getByRole('textbox', { name: 'One-time link' }).innerText()
  await sound(desk)
  await desk.getByRole('button', { name: 'Done' }).click()
  await sound(desk)

  await guest.goto(link)
  await expect(guest.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
  await choose(guest, 'short')
  await expect(guest.getByText('must have at least 12 characters')).toBeVisible()
  await sound(guest)
  await choose(guest, PASSWORD)
  await expect(guest.getByRole('heading', { name: 'Choose a password' })).toBeHidden()
  await guest.getByRole('button', { name: 'Sign out' }).click()

  await guest.getByRole('textbox', { name: 'Name' }).fill('vera lindt')
  await guest.getByLabel('Password', { exact: true }).fill('not the one')
  await guest.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(guest.getByText('The name or the password is not right.')).toBeVisible()
  await sound(guest)
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await guest.getByRole('button', { name: 'Sign in', exact: true }).click()
  const navigation = guest.getByRole('navigation', { name: 'Navigation' })
  await expect(navigation.getByRole('link', { name: 'Workspaces and keys' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'People' })).toHaveCount(0)
  await guest.goto(`${loupe.url}/people/audit`)
  await expect(guest.getByText('Only an admin reads the audit log.')).toBeVisible()
  await guest.goto(`${loupe.url}/account`)
  await expect(guest.getByRole('region', { name: 'Sessions' }).getByRole('cell', { name: 'this one' })).toBeVisible()
  await sound(guest)

  const talk = new Talk(chance(1), 250)
  converse(faults.platform, [talk])
  await desk.goto(faults.chat)
  await desk.getByRole('textbox', { name: 'Your question' }).fill('Which lamp burns longest?')
  await desk.keyboard.press('Control+Enter')
  await talk.begun
  await guest.goto(`${loupe.url}/runs?workspace=${faults.id}`)
  await guest.getByRole('link', { name: 'Which lamp burns longest?' }).click()
  await expect(guest.getByRole('main'), 'what streams is seen').toContainText(talk.text.split(' ')[0] ?? 'x')

  await desk.goto(`${loupe.url}/people`)
  await desk.getByRole('button', { name: 'Edit Vera Lindt' }).click()
  await sound(desk)
  await desk.getByRole('button', { name: 'Disable' }).click()
  await expect(guest.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await desk.getByRole('button', { name: 'Cancel' }).click()
  await expect(desk.getByRole('row', { name: /Vera Lindt/ })).toContainText('disabled')

  await desk.getByRole('link', { name: 'Audit log' }).click()
  const log = desk.getByRole('table', { name: 'Audit log' })
  for (const action of ['person.invited', 'account.password', 'session.refused', 'session.begun', 'person.disabled'])
    await expect(log.getByRole('cell', { name: action, exact: true }).first()).toBeVisible()
  await sound(desk)
  talk.end()
  await elsewhere.close()
})

async function choose(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('New password again').fill(password)
  await page.getByRole('button', { name: 'Set the password' }).click()
}
