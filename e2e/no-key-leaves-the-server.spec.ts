import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerSlowly, newIds } from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

const SENTINELS = ['app-sentinel-of-the-faults', 'dataset-sentinel-of-the-faults']

test('the bundle and every response to the browser are free of any key', async ({ desk, faults, loupe }) => {
  const received: Promise<string>[] = []
  desk.on('response', (response) => {
    received.push(
      response.body().then(
        (body) => `${response.url()} ${JSON.stringify(response.headers())} ${body.toString('latin1')}`,
        () => response.url(),
      ),
    )
  })
  faults.platform.script = (seen, response) =>
    answerSlowly(response, newIds(), ['The key is ', String(seen.headers.authorization)], 5)
  await desk.goto(faults.chat)
  await desk.getByRole('textbox', { name: 'Your question' }).fill('Which key?')
  await desk.keyboard.press('Control+Enter')
  await expect(desk.getByRole('log')).toContainText('[REDACTED:key]')
  await desk.goto(`${loupe.url}/datasets?workspace=${faults.id}`)
  await expect(desk.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  const page = await desk.content()
  const storage = await desk.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  const built = readdirSync('dist', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  const everything = [...(await Promise.all(received)), page, storage, loupe.output, ...built]
  expect(everything.length).toBeGreaterThan(10)
  for (const sentinel of SENTINELS)
    for (const form of [
      sentinel,
      Buffer.from(sentinel).toString('base64').slice(0, -4),
      Buffer.from(sentinel).toString('hex'),
    ])
      expect(everything.some((text) => text.includes(form))).toBe(false)
  expect((await desk.request.get(`${loupe.url}/assets/index.js.map`)).status()).toBe(404)
})
