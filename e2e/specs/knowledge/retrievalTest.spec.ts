import { expectAccessible, writeDocument } from '#support/documentFixtures.ts'
import { expect, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('a question finds its segment, becomes a case of a suite, and the suite is run twice', async ({
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
      await expect(hits.first().locator('mark', { hasText: 'warranty' }).first()).toBeVisible()
      if (hasOptionalOperations) {
        await expect(hits.first()).toContainText('keyword_search')
        await expect(
          page.getByText(/^Searched by keyword: the platform has no embedding model for Hybrid/),
        ).toBeVisible()
      }

      await hits.first().getByRole('button', { name: 'Expect this segment' }).click()
      await page.getByRole('textbox', { name: 'Name of the new suite' }).fill('Terms')
      await page.getByRole('button', { name: 'Create suite' }).click()
      const suites = page.getByRole('region', { name: 'Suites' })
      await expect(suites.getByRole('listitem').filter({ hasText: 'Terms' })).toContainText('1 case')
      await hits.first().getByRole('button', { name: 'Expect this document' }).click()
      await suites.getByRole('button', { name: 'Add case' }).click()
      await expect(suites.getByRole('listitem').filter({ hasText: 'Terms' })).toContainText('2 cases')
      await suites.getByRole('button', { name: 'Run suite' }).click()
      await expect(suites).toContainText('2 of 2 passed')
      await expectAccessible(page)

      await suites.getByRole('link', { name: 'Terms' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible()
      const cases = page.getByRole('table', { name: 'Cases' })
      await expect(cases.getByRole('link', { name: 'rank 1, pass' })).toHaveCount(2)
      await expect(cases.getByRole('link', { name: `any segment of ${lamp} terms` })).toBeVisible()
      await page.getByRole('button', { name: 'Run suite' }).click()
      const results = page.getByRole('table', { name: 'Results' })
      await expect(results.getByRole('row').filter({ hasText: 'passed' })).toHaveCount(2)
      await page.getByRole('button', { name: 'Set as baseline' }).click()
      await expect(page.getByText(/^Baseline, approved by/)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Experiments' }).click()
      await expect(page.getByRole('table', { name: 'Experiments' }).getByRole('row')).toHaveCount(3)
      await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Cases' }).click()
      await expect(cases.getByRole('link', { name: 'rank 1, pass' })).toHaveCount(4)

      await knowledge.open(`/datasets/${dataset_id}/retrieval`)
      if (!hasOptionalOperations) return
      await page.getByRole('textbox', { name: 'Question' }).fill(`How long is the ${lamp} warranty?`)
      await page.getByRole('button', { name: 'Find' }).click()
      await hits.first().getByRole('link').first().click()
      await expect(page.getByRole('heading', { name: /^Segment/ }).first()).toBeVisible()
      await expect(page.getByRole('main')).toContainText('36 months')
    })
  })

test.describe('with the optional operations', () => {
  test.use({ platformVariant: PLATFORM_VARIANTS[0] })

  test('two settings stand side by side, in the address, and a disabled segment is found no more', async ({
    knowledge,
  }) => {
    const { page } = knowledge
    const paragraphs = ['one', 'two', 'three', 'four'].map(
      (word) => `The astrolabe has part ${word}, which is described here.`,
    )
    const { dataset_id } = await writeDocument(knowledge, 'astrolabe', paragraphs.join('\n\n'))
    await knowledge.open(`/datasets/${dataset_id}/retrieval`)
    await page.getByRole('textbox', { name: 'Question' }).fill('astrolabe part')
    await page.getByRole('switch', { name: 'Compare two settings' }).click()
    await page.locator('details', { hasText: 'Settings B' }).locator('summary').click()
    await page.locator('details', { hasText: 'Settings B' }).getByRole('textbox', { name: /top_k/ }).fill('1')
    await page.getByRole('button', { name: 'Find' }).click()
    const findHits = (name: string) =>
      page.getByRole('region', { name: `Results of settings ${name}` }).getByRole('listitem')
    const [a, b] = [findHits('A'), findHits('B')]
    await expect(b).toHaveCount(1)
    await expect(page.getByText(/\d+ new, \d+ gone/), 'both are there').toBeVisible()
    const all = await a.count()
    await expect(page.getByText(new RegExp(`0 new, ${all - 1} gone, 1 in the same place`))).toBeVisible()
    await expect(a.filter({ hasText: 'gone in B' })).toHaveCount(all - 1)

    await page.reload()
    await expect(b).toHaveCount(1)
    await expect(page.getByRole('textbox', { name: 'Question' })).toHaveValue('astrolabe part')

    await page.getByRole('button', { name: 'Recent questions' }).click()
    await expect(page.getByRole('menuitem', { name: 'astrolabe part' })).toBeVisible()
    await page.keyboard.press('Escape')

    await b.first().getByRole('button', { name: 'Disable segment' }).click()
    await expect(b.first()).toContainText('It is no longer retrieved.')
    const link = (await b.first().getByRole('link').first().getAttribute('href')) ?? ''
    await page.getByRole('button', { name: 'Find' }).click()
    await expect(b.first().getByRole('link').first()).not.toHaveAttribute('href', link)
    await expectAccessible(page)
  })
})
