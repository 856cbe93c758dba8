import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { listEncodings } from '#support/keyEncodings.ts'
import { openStream, sendError, ScriptedPlatform, type RecordedRequest } from '#support/platforms/scriptedPlatform.ts'
import { expect, signIn, test } from '#support/fixtures.ts'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'

const SENTINEL_KEY = 'app-sentinel-0f3a9c77-d41e'
const HEADERS = { 'x-console': '1' }
const ID = '3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01'

/** Says the key back in each of its forms, in headers, bodies and frames, whole and in pieces. */
function echoKey({ headers, body }: RecordedRequest, response: Parameters<typeof sendError>[0]): void {
  const secret = String(headers.authorization).replace('Bearer ', '')
  const all = Object.values(listEncodings(secret))
  if (!body.includes('"streaming"'))
    return sendError(
      response,
      200,
      { name: secret, data: [], user_input_form: [], opening_statement: all.join(' ') },
      { 'x-version': secret },
    )
  openStream(response)
  for (const form of all)
    for (const answer of [form.slice(0, 9), form.slice(9)])
      response.write(
        `data: ${JSON.stringify({ event: 'message', id: ID, message_id: ID, conversation_id: ID, answer })}\n\n`,
      )
  response.end(`data: ${JSON.stringify({ event: 'message_end', id: ID, metadata: { secret } })}\n\n`)
}

/** A browser of its own, all of whose responses, pages and fields are kept under the name of who sits at it. */
class RecordedVisit {
  readonly recordedTexts: [string, string][] = []
  readonly page: Page
  readonly #personName: string
  readonly #bodies: Promise<void>[] = []

  constructor(who: string, page: Page) {
    this.#personName = who
    this.page = page
    page.on('response', (response) => {
      const taken = response
        .body()
        .then((body) => body.toString('latin1'))
        .catch(() => '')
      this.#bodies.push(
        taken.then((body) => this.record(response.url(), `${JSON.stringify(response.headers())} ${body}`)),
      )
    })
  }

  static async begin(who: string, browser: Browser, har: string): Promise<RecordedVisit> {
    const context = await browser.newContext({ recordHar: { path: har, content: 'embed' } })
    return new RecordedVisit(who, await context.newPage())
  }

  record(place: string, text: string): void {
    this.recordedTexts.push([`${this.#personName}: ${place}`, text])
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url)
    await this.page.waitForLoadState('networkidle')
    await this.recordPage()
  }

  /** What stands on the page, in its fields and in its storage. */
  async recordPage(): Promise<void> {
    const rest = await this.page.evaluate(async () => [
      ...[...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, await indexedDB.databases()]),
    ])
    this.record(`the page at ${this.page.url()}`, [await this.page.content(), ...rest].join('\n'))
  }

  async end(): Promise<[string, string][]> {
    await this.page.context().close()
    await Promise.all(this.#bodies)
    return this.recordedTexts
  }
}

test('no key leaves the server: to no page, file, log or folder, whoever asks', async ({ browser }, info) => {
  const platform = await ScriptedPlatform.start()
  platform.script = echoKey
  const loupe = await LoupeProcess.fromTemplate({ LOG_LEVEL: 'trace' }).start()
  const har = (who: string) => info.outputPath(`${who}.har`)
  const admin = await RecordedVisit.begin('admin', browser, har('admin'))
  const desk = admin.page
  await signIn(desk, loupe)

  await admin.open(`${loupe.url}/workspaces`)
  await desk.getByRole('button', { name: 'Add a platform' }).click()
  const form = desk.getByRole('dialog', { name: 'Add a platform' })
  await form.getByRole('textbox', { name: 'Name' }).fill('The one that says it back')
  await form.getByRole('textbox', { name: 'Base URL' }).fill(platform.url)
  await form.getByRole('textbox', { name: 'Keys' }).fill(SENTINEL_KEY)
  await form.getByRole('button', { name: 'Detect keys' }).click()
  await form.getByRole('combobox', { name: 'Kind of key 1' }).selectOption('chat')
  await form.getByRole('textbox', { name: 'Label of key 1' }).fill('The app')
  await form.getByRole('button', { name: 'Add workspace with 1 key' }).click()
  await expect(form).toBeHidden()
  await admin.recordPage()

  const read = async <T>(path: string, data?: unknown): Promise<T> => {
    const response = await desk.request.fetch(loupe.url + path, {
      method: data ? 'POST' : 'GET',
      data,
      headers: HEADERS,
    })
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
    return (await response.json()) as T
  }
  type Workspaces = { data: { id: string; name: string; keys: { id: string }[] }[] }
  const { data: workspaces } = await read<Workspaces>('/api/workspaces')
  const home = workspaces.find(({ name }) => name === 'The one that says it back')
  const [w, key] = [home?.id ?? '', home?.keys[0]?.id ?? '']

  await admin.open(`${loupe.url}/chat?workspace=${w}&app=${key}`)
  await desk.getByRole('textbox', { name: 'Your question' }).fill('Which key?')
  await desk.keyboard.press('Control+Enter')
  await expect(desk.getByRole('log')).toContainText('[REDACTED:key]')
  const run = new URL(desk.url()).searchParams.get('run') ?? ''
  const paths = ['/', `/chat?app=${key}&conversation=${ID}`, '/runs', `/runs/${run}?tab=frames`, '/ledger', `/ledger?call=${run}`, '/ledger/retention', '/drift', '/workspaces', '/people', '/people/audit', '/servers', '/account'] // prettier-ignore
  const screens = paths.map((path) => `${loupe.url}${path}${path.includes('?') ? '&' : '?'}workspace=${w}`)
  for (const url of screens) await admin.open(url)
  await desk.goto(`${loupe.url}/runs/${run}?workspace=${w}`)
  const download = desk.waitForEvent('download')
  await desk.getByRole('button', { name: 'Export' }).first().click()
  admin.record('the run file', readFileSync(await (await download).path(), 'latin1'))
  for (const format of ['har', 'jsonl', 'csv']) {
    const file = await desk.request.get(`${loupe.url}/api/calls/export?workspace=${w}&format=${format}`)
    expect(file.status()).toBe(200)
    admin.record(`the ${format} of the ledger`, (await file.body()).toString('latin1'))
  }
  const { token } = await read<{ token: string }>('/api/account/tokens', { name: 'script', role: 'admin', days: 1 })

  const others: RecordedVisit[] = []
  for (const role of ['viewer', 'operator']) {
    const walk = await RecordedVisit.begin(role, browser, har(role))
    const { link } = await read<{ link: string }>('/api/people', { name: `The ${role}`, role })
    await walk.page.request.post(`${loupe.url}/api/session`, { headers: HEADERS, data: { token: link } })
    const data = { password: 'a lamp over the long quay' }
    await walk.page.request.put(`${loupe.url}/api/account/password`, { headers: HEADERS, data })
    for (const url of screens.slice(1, 6)) await walk.open(url)
    others.push(walk)
  }
  const stranger = await RecordedVisit.begin('nobody', browser, har('nobody'))
  await stranger.open(`${loupe.url}/sign-in`)
  for (const [who, headers] of [
    ['nobody', {}],
    ['token', { authorization: `Bearer ${token}` }],
  ] as const)
    for (const path of [
      '/metrics',
      '/healthz',
      '/readyz',
      '/api/workspaces',
      `/api/runs/${run}`,
      `/api/runs/${run}/events`,
      `/api/calls/${run}`,
      `/api/calls?workspace=${w}`,
      '/api/resources',
      '/api/audit',
      `/api/keys/${key}/parameters`,
      '/assets/index.js.map',
    ]) {
      // prettier-ignore
      const response = await fetch(loupe.url + path, { headers })
      stranger.record(`${who} at ${path}`, `${JSON.stringify([...response.headers])} ${await response.text()}`)
      const mustAnswer = who === 'token' && path.startsWith('/api')
      const status: unknown = path.endsWith('.map') ? 404 : mustAnswer ? 200 : expect.any(Number)
      expect([path, response.status]).toEqual([path, status])
    }
  const snapshot = await promisify(execFile)(process.execPath, ['server/snapshotCommand.ts', 'take'], {
    env: { ...process.env, DATA_DIR: loupe.folder, SETUP_TOKEN },
  })
  const seen = (await Promise.all([admin, ...others, stranger].map((walk) => walk.end()))).flat()
  await loupe.stop()
  seen.push(['the log', loupe.output], ['what the command printed', snapshot.stdout + snapshot.stderr])
  for (const folder of [loupe.folder, 'dist', info.outputPath()]) seen.push(...listFileTexts(folder))
  expect(seen.filter(([place]) => /snapshots\/|database\/|\.har$/.test(place)).length).toBeGreaterThan(100)

  expect(readFileSync(har('admin'), 'utf8'), 'what is typed is found where it must stand').toContain(SENTINEL_KEY)
  for (const [form, text] of Object.entries(listEncodings(SENTINEL_KEY)))
    expect([form, seen.filter(([, one]) => one.includes(text)).map(([place]) => place)]).toEqual([form, []])
  expect(seen.filter(([, text]) => text.includes('[REDACTED:key]')).length).toBeGreaterThan(20)
  await loupe.remove()
  await platform.close()
})

/** All files below a folder, unpacked; of a browser's record not what the browser itself sent to have the key kept. */
function listFileTexts(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name)
      const bytes = readFileSync(path)
      if (path.endsWith('.har')) return [path, removeSavedKeys(bytes.toString('utf8'))]
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
      return [path, (isPacked ? gunzipSync(bytes) : bytes).toString('latin1')]
    })
}

const KEY_SAVING_PATHS = /\/api\/(platform-detection|workspaces\/[\w-]+\/keys)$/

function removeSavedKeys(har: string): string {
  const { log } = JSON.parse(har) as { log: { entries: { request: { url: string; postData?: unknown } }[] } }
  const saves = log.entries.filter(({ request }) => KEY_SAVING_PATHS.test(request.url))
  for (const { request } of saves) delete request.postData
  // Bodies stand in it as base64 too, of which the forms are those that are looked for.
  return JSON.stringify(log)
}
