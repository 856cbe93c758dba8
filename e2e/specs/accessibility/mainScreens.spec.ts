import { findSeriousViolations } from '#support/accessibility.ts'
import { waitForAnimations, writeDocument } from '#support/documentFixtures.ts'
import { expect, test } from '#support/knowledgeFixtures.ts'

test('axe finds nothing serious on the main screens', async ({ knowledge }) => {
  const { page } = knowledge
  const { dataset_id, document_id } = await writeDocument(knowledge, 'Main screens', 'A lamp.\nA seat.\n\nA gap.')
  await knowledge.open('/chat')
  await page.getByRole('textbox', { name: 'Your question' }).fill('What is Loupe?')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('first token').first()).toBeVisible()
  const run = new URL(page.url()).searchParams.get('run')
  const expectNothingSerious = async () => {
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await waitForAnimations(page)
    expect(await findSeriousViolations(page), page.url()).toEqual([])
  }
  await expectNothingSerious()
  for (const path of [
    '/',
    `/runs/${run}`,
    `/datasets/${dataset_id}`,
    `/datasets/${dataset_id}/documents/${document_id}`,
  ]) {
    await knowledge.open(path)
    await expectNothingSerious()
  }
})

test('every entry of the navigation opens its screen', async ({ signedInPage: page, loupe }) => {
  await page.goto(loupe.url)
  const links = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link')
  await expect(links.first()).toBeVisible()
  const count = await links.count()
  expect(count).toBeGreaterThan(15)
  for (let index = 0; index < count; index++) {
    const path = (await links.nth(index).getAttribute('href'))?.split('?')[0]
    await links.nth(index).click()
    await expect(page).toHaveURL((url) => url.pathname === path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 }).first()).toBeVisible()
  }
})
