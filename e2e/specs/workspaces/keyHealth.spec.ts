import { createReleaseScript, getReleaseKey } from '#support/platforms/releasePlatform.ts'
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
