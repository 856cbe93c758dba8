import type { Page } from '@playwright/test'
import { addAppWorkspace } from '#support/appKeys.ts'
import { expect, test } from '#support/fixtures.ts'

const TEXT =
  'A lamp lasts 2,000 hours. The counter is reset after each change. Warm lamps are never touched. The seat has a gap of 0.3 mm.'

test('a person writes a text from inputs, in both modes, and finds it again', async ({ signedInPage, loupe }) => {
  await signedInPage.goto(await addAppWorkspace(signedInPage, loupe, 'completion'))
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(signedInPage.getByText('Text is required.')).toBeVisible()
  await expect(signedInPage).not.toHaveURL(/run=/)

  await signedInPage.getByRole('textbox', { name: 'Text' }).fill(TEXT)
  await signedInPage.getByRole('textbox', { name: 'URL of the file' }).fill('ftp://files.example/seat.png')
  await signedInPage.keyboard.press('Enter')
  await expect(signedInPage.getByRole('alert')).toContainText('is not an http or https URL')
  await signedInPage.getByRole('textbox', { name: 'URL of the file' }).fill('https://files.example/seat.png')
  await signedInPage.keyboard.press('Enter')
  await expect(signedInPage.getByText('remote_url')).toBeVisible()
  await signedInPage.keyboard.press('Control+Enter')
  await expect(outputRegion(signedInPage)).toContainText('first token')
  await expect(outputRegion(signedInPage)).toContainText('lamp')
  const first = signedInPage.url()

  await signedInPage.reload()
  await expect(outputRegion(signedInPage)).toContainText('first token')
  await expect(signedInPage.getByRole('textbox', { name: 'Text' })).toHaveValue(TEXT)

  await signedInPage.getByText('blocking', { exact: true }).click()
  await signedInPage.getByRole('combobox', { name: 'Length' }).selectOption('short')
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(signedInPage).not.toHaveURL(first)
  await expect(outputRegion(signedInPage)).toContainText('tokens')

  await signedInPage.getByText('History', { exact: true }).click()
  await expect(signedInPage.getByRole('list', { name: 'History' }).getByRole('listitem')).toHaveCount(2)
  await signedInPage.getByRole('list', { name: 'History' }).getByRole('link').last().click()
  await expect(signedInPage).toHaveURL(new RegExp(new URL(first).searchParams.get('run') ?? 'none'))
})

test('the same inputs stand in the form and in JSON, and what is edited keeps its parent', async ({
  signedInPage,
  loupe,
}) => {
  await signedInPage.goto(`${loupe.url}/completion`)
  await signedInPage.getByRole('textbox', { name: 'Text' }).fill(TEXT)
  await signedInPage.getByText('JSON', { exact: true }).click()
  const json = signedInPage.getByRole('textbox', { name: 'Inputs as JSON' })
  expect(JSON.parse(await json.inputValue())).toMatchObject({ query: TEXT, length: 'medium', list: 'no' })
  await json.fill('{"query": 1')
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(signedInPage.getByRole('alert')).toHaveText('inputs must be valid JSON.')
  await json.fill(JSON.stringify({ query: TEXT, length: 'long', note: [1] }))
  await signedInPage.getByText('Form', { exact: true }).click()
  await expect(signedInPage.getByRole('combobox', { name: 'Length' })).toHaveValue('long')
  await expect(signedInPage.getByRole('textbox', { name: 'note' })).toHaveValue(/1/)
  await signedInPage.getByRole('button', { name: 'Omit note' }).click()
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(outputRegion(signedInPage)).toContainText('first token')
  const parent = getRunId(signedInPage)
  const parentUrl = signedInPage.url()

  await signedInPage.getByRole('button', { name: 'Edit these inputs' }).click()
  await expect(signedInPage.getByText('Made from run')).toContainText(parent.slice(0, 8))
  await signedInPage.getByRole('textbox', { name: 'Focus' }).fill('the counter')
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => getRunId(signedInPage)).not.toBe(parent)
  await expect(outputRegion(signedInPage)).toContainText('first token')
  const readParent = async () => {
    const child = await signedInPage.request.get(`${loupe.url}/api/runs/${getRunId(signedInPage)}`)
    return ((await child.json()) as { parent?: string }).parent
  }
  await expect.poll(readParent).toBe(parent)

  // The form shows what the run was given; the draft is the second choice, and neither is lost to the other.
  await signedInPage.getByText('Your draft', { exact: true }).click()
  await signedInPage.getByRole('textbox', { name: 'Text' }).fill('A draft of mine.')
  await signedInPage.goto(parentUrl)
  await expect(signedInPage.getByRole('radio', { name: 'Inputs of this run' })).toBeChecked()
  await expect(signedInPage.getByRole('textbox', { name: 'Text' })).toHaveValue(TEXT)
  await signedInPage.getByText('Your draft', { exact: true }).click()
  await expect(signedInPage.getByRole('textbox', { name: 'Text' })).toHaveValue('A draft of mine.')
  await signedInPage.setViewportSize({ width: 390, height: 844 })
  await expect(signedInPage.getByRole('textbox', { name: 'Text' })).toBeHidden()
  await signedInPage.getByRole('button', { name: 'Show inputs' }).click()
  await expect(signedInPage.getByRole('textbox', { name: 'Text' })).toHaveValue('A draft of mine.')
})

test('a person uploads a file, and one that the app does not take is refused before it leaves', async ({
  signedInPage,
  loupe,
}) => {
  await signedInPage.goto(`${loupe.url}/completion`)
  const upload = async (name: string, bytes: Buffer) => {
    const chooser = signedInPage.waitForEvent('filechooser')
    await signedInPage.getByRole('button', { name: 'Upload' }).click()
    await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: bytes })
  }
  await upload('seat.pdf', Buffer.from('%PDF'))
  await expect(signedInPage.getByRole('alert')).toContainText('does not accept files of type document')
  await upload('seat.png', Buffer.from('89504e470d0a1a0a0000', 'hex'))
  await expect(signedInPage.getByText('local_file')).toBeVisible()
  await signedInPage.getByRole('textbox', { name: 'Text' }).fill(TEXT)
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(outputRegion(signedInPage)).toContainText('first token')
})

const outputRegion = (page: Page) => page.getByRole('region', { name: 'Output' })
const getRunId = (page: Page) => new URL(page.url()).searchParams.get('run') ?? ''
