import { expectAccessible, writeDocument } from '#support/documentFixtures.ts'
import { expect, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('a question finds its segment, is kept in a set, and the set is run before and after', async ({
      knowledge,
    }) => {
      const { page, hasOptionalOperations } = knowledge
      const lamp = hasOptionalOperations ? 'orrery' : 'gnomon'
      const { dataset_id } = await writeDocument(
        knowledge,
        `${lamp} terms`,
        `The ${lamp} warranty lasts 36 months.\n\nThe ${lamp} is returned within 45 days.`,
      )
      if (!hasOptionalOperations) {
        const form = [{ 'text-input': { label: 'Department', variable: 'department', required: true } }]
        await page.route('**/parameters', (route) => route.fulfill({ json: { user_input_form: form } }))
      }
      await knowledge.open(`/datasets/${dataset_id}/retrieval`)
      const probe = page.getByRole('region', { name: 'Test through a chat app' })
      await expect(page.getByRole('textbox', { name: 'Question' })).toBeVisible()
      await expect(probe).toHaveCount(hasOptionalOperations ? 0 : 1)
      await page.getByRole('textbox', { name: 'Question' }).fill(`How long is the ${lamp} warranty?`)
      if (!hasOptionalOperations) {
        await expect(page.getByText('Missing: Department.')).toBeVisible()
        await expect(page.getByRole('button', { name: 'Find' })).toBeDisabled()
        await probe.getByLabel('Department').fill('Service')
      }
      const asked = hasOptionalOperations ? null : page.waitForRequest(/chat-messages$/)
      await page.getByRole('button', { name: 'Find' }).click()
      const sent = (await asked)?.postDataJSON() as unknown
      expect(sent).toEqual(
        hasOptionalOperations ? undefined : expect.objectContaining({ inputs: { department: 'Service' } }),
      )
      const hits = page.getByRole('region', { name: 'Results, best first' }).getByRole('listitem')
      await expect(hits.first()).toContainText('36 months')
      if (hasOptionalOperations) {
        await expect(hits.first()).toContainText('keyword_search')
        await expect(
          page.getByText(/^Searched by keyword: the platform has no embedding model for Hybrid/),
        ).toBeVisible()
      }

      await hits.first().getByRole('button', { name: 'Expect this segment' }).click()
      await page.getByRole('textbox', { name: 'Name of the new set' }).fill('Terms')
      await page.getByRole('button', { name: 'Create set' }).click()
      const sets = page.getByRole('region', { name: 'Question sets' })
      await expect(sets.getByRole('row').filter({ hasText: '36 months' })).toBeVisible()
      await hits.first().getByRole('button', { name: 'Expect this document' }).click()
      await sets.getByRole('button', { name: 'Add to Terms' }).click()
      await expect(sets.getByRole('row').filter({ hasText: `any segment of ${lamp} terms` })).toBeVisible()
      await sets.getByRole('button', { name: 'Run set' }).click()
      await expect(sets).toContainText('2 of 2 found, before: 2.')
      await sets.getByRole('button', { name: 'Run set' }).click()
      await expect(sets.getByRole('row').filter({ hasText: '36 months' })).toContainText(/rank 1.*rank 1/)
      await expectAccessible(page)

      await hits.first().getByRole('link').click()
      await expect(page.getByRole('heading', { name: /^Segment/ }).first()).toBeVisible()
      await expect(page.getByRole('main')).toContainText('36 months')
    })
  })
