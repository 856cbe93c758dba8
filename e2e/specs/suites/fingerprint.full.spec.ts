import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'
import { createJsonSender } from '#support/postJson.ts'

test('an experiment says what it ran on, and a comparison names the document that was edited between two', async ({
  signedInPage: page,
  loupe,
}) => {
  const postJson = createJsonSender(page.request, loupe.url)
  const workspaces = (await (await page.request.get(`${loupe.url}/api/workspaces`)).json()) as {
    data: { id: string; keys: { id: string; kind: string }[] }[]
  }
  const workspace = workspaces.data[0]
  const key = workspace?.keys.find(({ kind }) => kind === 'knowledge')?.id ?? ''
  const base = `/api/keys/${key}/datasets`
  const { id: dataset } = await postJson(base, { name: 'Terms of the shop' })
  const { document } = await postJson(`${base}/${dataset}/document/create-by-text`, {
    name: 'Returns',
    text: 'Returns are free within 30 days.',
    indexing_technique: 'economy',
    process_rule: { mode: 'automatic' },
  })
  const listSegments = async () => {
    const reply = await page.request.get(`${loupe.url}${base}/${dataset}/documents/${document.id}/segments`)
    return ((await reply.json()) as { data: { id: string; status: string }[] }).data
  }
  await expect.poll(async () => (await listSegments())[0]?.status).toBe('completed')
  const [segment] = await listSegments()
  const suite = await postJson('/api/suites', {
    workspace: workspace?.id,
    name: 'Terms',
    target: 'retrieval',
    about: dataset,
    cases: [{ input: { query: 'Returns?' }, expected: { segments: [{ id: segment?.id }] } }],
  })
  await page.goto(`${loupe.url}/suites/${suite.id}?workspace=${workspace?.id}`)
  await page.getByRole('button', { name: 'Run suite' }).click()
  const ranOn = page.getByRole('list', { name: 'What it ran on' })
  await expect(ranOn).toContainText(/1 document, state [0-9a-f]{8}\./)
  await expectAccessible(page)

  await postJson(`${base}/${dataset}/documents/${document.id}/segments/${segment?.id}`, {
    segment: { content: 'Returns are free within 14 days.' },
  })
  const before = await ranOn.innerText()
  await page.getByRole('button', { name: 'Run suite' }).click()
  await expect(ranOn).not.toHaveText(before)
  await expect(ranOn).toContainText(/1 document, state [0-9a-f]{8}\./)
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Compare' }).click()
  const differences = page.getByRole('table', { name: 'What differs' })
  await expect(differences.getByRole('row', { name: /^Document/ })).toContainText('Returns (')
  await expectAccessible(page)
})
