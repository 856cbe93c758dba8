import { createReleaseScript, getReleaseKey, type PlatformRelease } from '#support/platforms/releasePlatform.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

test('what the platform did last is told per key in the same words, in the workspaces and at home', async ({
  signedInPage: page,
  loupe,
}) => {
  const platform = await ScriptedPlatform.start()
  const behaveAs = (release: PlatformRelease) => {
    platform.script = createReleaseScript(release)
  }
  const postJson = async (path: string, data: unknown) => {
    const response = await page.request.post(`${loupe.url}${path}`, { headers: { 'x-console': '1' }, data })
    return (await response.json()) as { id: string }
  }
  behaveAs('1.16.0-rc1')
  const { id } = await postJson('/api/workspaces', { name: 'Watched', base_url: platform.url })
  const keys = `/api/workspaces/${id}/keys`
  await postJson(keys, { kind: 'knowledge', label: 'Base', key: getReleaseKey('knowledge') })
  const support = await postJson(keys, { kind: 'chat', label: 'Support', key: getReleaseKey('chat') })
  const question = { query: 'Tea?', user: 'ada', inputs: {}, response_mode: 'blocking' }
  await postJson(`/api/keys/${support.id}/chat-messages`, question)
  behaveAs('interface')
  await postJson(keys, { kind: 'chat', label: 'Misfiled', key: getReleaseKey('workflow') })

  const card = page.getByRole('region', { name: 'Watched', exact: true })
  const homeCard = page.getByRole('article', { name: 'Watched' })
  const alerts = page.getByRole('region', { name: 'Alerts' })
  const openWorkspaces = () => page.goto(`${loupe.url}/workspaces?workspace=${id}`)
  const row = (label: string) => card.getByRole('row').filter({ hasText: label })
  const testKey = (label: string) => card.getByRole('button', { name: `Test: ${label}` }).click()

  behaveAs('1.16.0-rc1')
  await openWorkspaces()
  await expect(row('Support')).toContainText('healthy')
  await expect(row('Misfiled')).toContainText('chosen, not confirmed')
  await testKey('Misfiled')
  await expect(row('Misfiled')).toContainText('wrong kind')
  const wrongKind = 'Misfiled: a key of the wrong kind since'
  await expect(card.getByRole('alert').filter({ hasText: wrongKind })).toContainText(
    'The platform accepts this key as a workflow key, not as a chat key.',
  )
  await page.goto(`${loupe.url}/?workspace=${id}`)
  await expect(homeCard).toContainText('wrong kind since')

  behaveAs('refusing')
  await openWorkspaces()
  await testKey('Base')
  const refused = 'Base: refused by the platform (401) since'
  await expect(card.getByRole('alert').filter({ hasText: refused })).toContainText('Access token is invalid')
  await page.goto(`${loupe.url}/datasets?workspace=${id}`)
  await expect(page.getByRole('alert').getByRole('link', { name: 'Open workspaces and keys' })).toBeVisible()

  platform.script = (_seen, response) => void response.destroy()
  await openWorkspaces()
  await testKey('Support')
  await expect(row('Support')).toContainText('unreachable since')
  const unreachable = 'Support: the platform has been unreachable since'
  await expect(card.getByRole('alert').filter({ hasText: unreachable })).toBeVisible()
  await page.goto(`${loupe.url}/?workspace=${id}`)
  await expect(homeCard).toContainText('unreachable since')
  for (const words of [wrongKind, refused, unreachable]) await expect(alerts).toContainText(words)

  behaveAs('1.16.0-rc1')
  await openWorkspaces()
  await testKey('Base')
  await expect(row('Base')).toContainText('healthy')
  await expect(row('Support')).toContainText('healthy')
  await card.getByRole('button', { name: 'Delete: Support' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete the key Support (Chat, …aaaa)?' })).toBeVisible()
  await platform.close()
})
