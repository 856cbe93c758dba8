import type { Page } from '@playwright/test'
import { findSeriousViolations } from '#support/accessibility.ts'
import { readAppKeys } from '#support/appKeys.ts'
import { expect, test as base } from '#support/fixtures.ts'

/** The chatflow of the built-in platform, with one answer of which the reviewer has made a note. */
const test = base.extend<{ chatflow: { base_url: string; key: string; conversation: string; user: string } }>({
  chatflow: async ({ signedInPage: page, loupe }, use) => {
    const { data } = (await (await page.request.get(`${loupe.url}/api/workspaces`)).json()) as {
      data: { id: string; base_url: string; builtin: boolean; keys: { id: string; label: string }[] }[]
    }
    const workspace = data.find(({ builtin }) => builtin)
    const app = workspace?.keys.find(({ label }) => label === 'Reviewed answer')
    await page.goto(`${loupe.url}/chat?workspace=${workspace?.id}&app=${app?.id}`)
    await answerWithNote(page, 'The first note.')
    const conversation = new URL(page.url()).searchParams.get('conversation') ?? ''
    const session = (await (await page.request.get(`${loupe.url}/api/session`)).json()) as {
      person: { default_user: string }
    }
    const key = readAppKeys(loupe)['chatflow'] ?? ''
    await use({ base_url: workspace?.base_url ?? '', key, conversation, user: session.person.default_user })
  },
})

/** Asks, and answers the form with a note. */
async function answerWithNote(page: Page, note: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill('What is Loupe?')
  await page.keyboard.press('Control+Enter')
  const form = page
    .getByRole('log')
    .getByRole('article', { name: 'Answer' })
    .last()
    .getByRole('region', { name: /^Form: / })
  await form.getByRole('textbox', { name: 'note' }).fill(note)
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form).toContainText(/Answered here by .+: Send/)
}

const findVariable = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

test('the variables of a conversation are shown, edited and refreshed after the next run', async ({
  signedInPage: page,
  chatflow: { base_url, key, conversation, user },
}) => {
  const readValues = async () => {
    const reply = await page.request.get(`${base_url}/conversations/${conversation}/variables?user=${user}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(reply.status(), await reply.text()).toBe(200)
    const { data } = (await reply.json()) as { data: { name: string; value: unknown }[] }
    return Object.fromEntries(data.map(({ name, value }) => [name, value]))
  }
  await page.getByRole('tab', { name: 'Variables' }).click()
  const notes = findVariable(page, 'notes')
  const decision = findVariable(page, 'last_decision')
  await expect(notes).toContainText('array[string]')
  await expect(notes).toContainText('The notes of the reviewers, oldest first.')
  await expect(notes).toContainText('["The first note."]')
  await expect(decision).toContainText('send')

  // A value that is not of the type is not sent; the field says what is wrong.
  await notes.getByRole('button', { name: 'Edit notes' }).click()
  const field = notes.getByRole('textbox', { name: 'Value of notes' })
  await expect(field).toBeFocused()
  await field.fill('["a", ')
  await page.keyboard.press('Control+Enter')
  await expect(notes).toContainText('Must be valid JSON.')
  await field.fill('["a", 2]')
  await expect(notes).toContainText('Each item must be of the type string. Item 2 is not.')
  await field.fill('["Set in the inspector."]')
  await page.keyboard.press('Control+Enter')
  await expect(field).toHaveCount(0)
  await expect(notes).toContainText('["Set in the inspector."]')
  expect(await readValues()).toMatchObject({ notes: ['Set in the inspector.'] })

  // Escape leaves the value as it is.
  await decision.getByRole('button', { name: 'Edit last_decision' }).click()
  await decision.getByRole('textbox').fill('not saved')
  await page.keyboard.press('Escape')
  await expect(decision).not.toContainText('not saved')
  expect(await readValues()).toMatchObject({ last_decision: 'send' })

  // The next run reads what was set, and the tab shows what the run has set.
  await answerWithNote(page, 'The second note.')
  await expect(notes).toContainText('Set in the inspector.')
  await expect(notes).toContainText('The second note.')
  expect(await readValues()).toMatchObject({ notes: ['Set in the inspector.', 'The second note.'] })

  await page.reload()
  await expect(page.getByRole('tab', { name: 'Variables' })).toHaveAttribute('aria-selected', 'true')
  await expect(notes).toContainText('The second note.')
})

test('a refusal of the platform stands at the field in its own words, and what was typed stays', async ({
  signedInPage: page,
  chatflow: { base_url, key, conversation, user },
}) => {
  await page.getByRole('tab', { name: 'Variables' }).click()
  const decision = findVariable(page, 'last_decision')
  await decision.getByRole('button', { name: 'Edit last_decision' }).click()
  await decision.getByRole('textbox').fill('kept')
  const deleted = await page.request.delete(`${base_url}/conversations/${conversation}`, {
    headers: { authorization: `Bearer ${key}` },
    data: { user },
  })
  expect(deleted.ok(), await deleted.text()).toBe(true)
  await page.keyboard.press('Control+Enter')
  await expect(decision).toContainText('Conversation not found.')
  await expect(decision.getByRole('textbox')).toHaveValue('kept')
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing serious in the variables, also on a phone: ${scheme}`, async ({
    signedInPage: page,
    chatflow: { conversation },
  }) => {
    expect(conversation).not.toBe('')
    await page.emulateMedia({ colorScheme: scheme })
    await page.getByRole('tab', { name: 'Variables' }).click()
    const notes = findVariable(page, 'notes')
    await expect(notes).toContainText('The first note.')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      if (width === 390)
        await page
          .getByRole('button', { name: /frames/ })
          .last()
          .click()
      await notes.getByRole('button', { name: 'Edit notes' }).click()
      await notes.getByRole('textbox').fill('{}')
      await page.keyboard.press('Control+Enter')
      await expect(notes).toContainText('Must be a JSON array.')
      expect(await findSeriousViolations(page), String(width)).toEqual([])
      await notes.getByRole('button', { name: 'Cancel' }).click()
    }
  })
