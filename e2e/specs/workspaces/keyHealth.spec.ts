import { createReleaseScript, getReleaseKey, type PlatformRelease } from '#support/platforms/releasePlatform.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

test('a pasted env file becomes a workspace: its lines, its URL and its operations are told as they are', async ({
  signedInPage: page,
  loupe,
}) => {
  const platform = await ScriptedPlatform.start()
  platform.script = createReleaseScript('1.9.2')
  const host = new URL(platform.url).host
  await page.goto(`${loupe.url}/workspaces`)
  await page.getByRole('button', { name: 'Add a platform' }).click()
  const form = page.getByRole('dialog', { name: 'Add a platform' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Release 1.9.2')
  const lines = [
    `BASE=${platform.url}`,
    `DATASET_KEY=${getReleaseKey('knowledge')}`,
    `FLOW_KEY="${getReleaseKey('advanced-chat')}"`,
    'OLD_KEY=app-wrongwrongwrongwrong',
    getReleaseKey('workflow'),
  ]
  await form.getByRole('textbox', { name: 'Keys' }).fill(lines.join('\n'))
  await expect(form.getByRole('textbox', { name: 'Base URL' })).toHaveValue(platform.url)
  await expect(form.getByText('line 1 (BASE): a URL')).toBeVisible()
  await form.getByRole('textbox', { name: 'Base URL' }).fill(`${host}/v1/chat-messages`)
  await form.getByRole('button', { name: 'Detect keys' }).click()
  await expect(
    form.getByText(`API found at ${platform.url}, version 1.9.2. Corrected from ${host}/v1/chat-messages.`),
  ).toBeVisible()
  await expect(form.getByRole('combobox', { name: 'Kind of key 1' })).toHaveValue('knowledge')
  await expect(form.getByRole('combobox', { name: 'Kind of key 2' })).toHaveValue('chat')
  await expect(form.getByRole('combobox', { name: 'Kind of key 4' })).toHaveValue('workflow')
  await expect(form.getByRole('textbox', { name: 'Label of key 2' })).toHaveValue('FLOW_KEY')
  await expect(form.getByRole('textbox', { name: 'Label of key 4' })).toHaveValue('real workflow')
  await expect(form.getByText('1 key was rejected and is not added.')).toBeVisible()
  await expect(form.getByText('Access token is invalid').first()).toBeVisible()
  await form.getByRole('button', { name: 'Add workspace with 3 keys' }).click()

  // The sidebar follows to the new workspace.
  await expect(page).toHaveURL(/\/workspaces\?workspace=/)
  await expect(page.getByRole('combobox', { name: 'Workspace' }).locator('option:checked')).toHaveText(
    /^Release 1\.9\.2/,
  )
  const card = page.getByRole('region', { name: 'Release 1.9.2', exact: true })
  await expect(card.getByText('version 1.9.2')).toBeVisible()
  await card.getByText('Operations of FLOW_KEY').click()
  const optional = card.getByRole('region', { name: 'Operations of FLOW_KEY, Optional' })
  const broken = optional.getByRole('listitem').filter({ hasText: 'List annotations GET' })
  await expect(broken).toContainText('broken in release 1.9.2')
  await expect(broken).toContainText('current_user must be an Account instance')
  await expect(broken).toContainText('Repaired after release 1.9.2')
  await expect(optional.getByRole('listitem').filter({ hasText: 'List logged runs' })).toContainText('offered')
  await platform.close()
})

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
    'The platform takes this key for a workflow key, not for a chat key.',
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
