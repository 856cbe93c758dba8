import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const TEXT =
  'A lamp lasts 2,000 hours. The counter is reset after each change. Warm lamps are never touched. The seat has a gap of 0.3 mm.'

test('a person writes a text from inputs, in both modes, and finds it again', async ({ desk, loupe }) => {
  await desk.goto(`${loupe.url}/completion`)
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(desk.getByText('Text is required.')).toBeVisible()
  await expect(desk).not.toHaveURL(/run=/)

  await desk.getByRole('textbox', { name: 'Text' }).fill(TEXT)
  await desk.getByRole('textbox', { name: 'URL of the file' }).fill('ftp://files.example/seat.png')
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('alert')).toContainText('is not an http or https URL')
  await desk.getByRole('textbox', { name: 'URL of the file' }).fill('https://files.example/seat.png')
  await desk.keyboard.press('Enter')
  await expect(desk.getByText('remote_url')).toBeVisible()
  await desk.keyboard.press('Control+Enter')
  await expect(output(desk)).toContainText('first token')
  await expect(output(desk)).toContainText('lamp')
  const first = desk.url()

  await desk.reload()
  await expect(output(desk)).toContainText('first token')
  await expect(desk.getByRole('textbox', { name: 'Text' })).toHaveValue(TEXT)

  await desk.getByText('blocking', { exact: true }).click()
  await desk.getByRole('combobox', { name: 'Length' }).selectOption('short')
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(desk).not.toHaveURL(first)
  await expect(output(desk)).toContainText('tokens')

  await desk.getByText('History', { exact: true }).click()
  await expect(desk.getByRole('list', { name: 'History' }).getByRole('listitem')).toHaveCount(2)
  await desk.getByRole('list', { name: 'History' }).getByRole('link').last().click()
  await expect(desk).toHaveURL(new RegExp(new URL(first).searchParams.get('run') ?? 'none'))
})

test('the same inputs stand in the form and in JSON, and what is edited keeps its parent', async ({ desk, loupe }) => {
  await desk.goto(`${loupe.url}/completion`)
  await desk.getByRole('textbox', { name: 'Text' }).fill(TEXT)
  await desk.getByText('JSON', { exact: true }).click()
  const json = desk.getByRole('textbox', { name: 'Inputs as JSON' })
  expect(JSON.parse(await json.inputValue())).toMatchObject({ query: TEXT, length: 'medium', list: false })
  await json.fill('{"query": 1')
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(desk.getByRole('alert')).toHaveText('inputs is not JSON.')
  await json.fill(JSON.stringify({ query: TEXT, length: 'long', note: [1] }))
  await desk.getByText('Form', { exact: true }).click()
  await expect(desk.getByRole('combobox', { name: 'Length' })).toHaveValue('long')
  await expect(desk.getByRole('textbox', { name: 'note' })).toHaveValue(/1/)
  await desk.getByRole('button', { name: 'Leave out note' }).click()
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(output(desk)).toContainText('first token')
  const parent = runOf(desk)

  await desk.getByRole('button', { name: 'Edit these inputs' }).click()
  await expect(desk.getByText('Made from run')).toContainText(parent.slice(0, 8))
  await desk.getByRole('textbox', { name: 'Focus' }).fill('the counter')
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => runOf(desk)).not.toBe(parent)
  await expect(output(desk)).toContainText('first token')
  const child = (await (await desk.request.get(`${loupe.url}/api/runs/${runOf(desk)}`)).json()) as { parent: string }
  expect(child.parent).toBe(parent)
})

test('a person uploads a file, and one that the app does not take is refused before it leaves', async ({
  desk,
  loupe,
}) => {
  await desk.goto(`${loupe.url}/completion`)
  const upload = async (name: string, bytes: Buffer) => {
    const chooser = desk.waitForEvent('filechooser')
    await desk.getByRole('button', { name: 'Upload' }).click()
    await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: bytes })
  }
  await upload('seat.pdf', Buffer.from('%PDF'))
  await expect(desk.getByRole('alert')).toContainText('takes no file of type document')
  await upload('seat.png', Buffer.from('89504e470d0a1a0a0000', 'hex'))
  await expect(desk.getByText('local_file')).toBeVisible()
  await desk.getByRole('textbox', { name: 'Text' }).fill(TEXT)
  await desk.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(output(desk)).toContainText('first token')
})

const output = (page: Page) => page.getByRole('region', { name: 'Output' })
const runOf = (page: Page) => new URL(page.url()).searchParams.get('run') ?? ''
