import type { Browser, Page } from '@playwright/test'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'

const PASSWORD = 'a lamp over the long quay'

test('whoever may only read, and whoever has one app, meets nothing on any screen that is refused', async ({
  signedInPage,
  loupe,
  browser,
}) => {
  test.setTimeout(400_000)
  const headers = { 'x-console': '1' }
  const api = async <T>(method: string, path: string, data?: unknown): Promise<T> => {
    const response = await signedInPage.request.fetch(loupe.url + path, { method, data, headers })
    expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true)
    return (await response.json()) as T
  }
  type Workspaces = { data: { id: string; keys: { id: string; kind: string }[] }[] }
  const [home] = (await api<Workspaces>('GET', '/api/workspaces')).data
  const w = home?.id ?? ''
  const [knowledge, chat, completion, workflow] = ['knowledge', 'chat', 'completion', 'workflow'].map(
    (kind) => home?.keys.find((key) => key.kind === kind)?.id ?? '',
  )
  const asked = { query: 'What is Loupe?', inputs: {}, user: 'ada', response_mode: 'blocking' }
  const said = await api<{ conversation_id: string }>('POST', `/api/keys/${chat}/chat-messages`, asked)
  const { data: runs } = await api<{ data: { id: string }[] }>('GET', `/api/runs?workspace=${w}`)
  const run = runs[0]?.id ?? ''
  const listResources = async (kind: string) =>
    (await api<{ data: { id: string; parent: string }[] }>('GET', `/api/resources?workspace=${w}&kind=${kind}`)).data
  const datasets = await api<{ data: { id: string }[] }>('GET', `/api/keys/${knowledge}/datasets`)
  const dataset = datasets.data[0]?.id ?? ''
  await api('GET', `/api/keys/${knowledge}/datasets/${dataset}/documents`)
  const document = (await listResources('document'))[0]?.id ?? ''
  const lists = `/api/keys/${knowledge}/datasets/${dataset}/documents/${document}/segments`
  const segment = (await api<{ data: { id: string }[] }>('GET', lists)).data[0]?.id ?? ''
  const annotation = await api<{ id: string }>('POST', `/api/keys/${chat}/apps/annotations`, {
    question: 'What is a lamp?',
    answer: 'A light.',
  })
  const cells = [chat, null].map((key, at) => ({ id: `c${at}`, key, own: null, runs: [run] }))
  const board = await api<{ id: string }>('POST', '/api/saved-items', {
    kind: 'board',
    workspace: w,
    name: 'Board',
    value: { cells, repeat: 2 },
  })
  const suite = await api<{ id: string }>('POST', '/api/suites', {
    workspace: w,
    name: 'Answers',
    target: 'chat',
    about: chat,
    cases: [{ input: { query: 'What is Loupe?' } }],
  })
  const nobody = '3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01'
  const screens = [
    '/',
    `/chat?app=${chat}&conversation=${said.conversation_id}`,
    `/chat?app=${chat}`,
    `/completion?app=${completion}`,
    `/workflows?app=${workflow}`,
    '/runs',
    `/runs/${run}`,
    `/runs/${run}?replay=1`,
    `/compare?run=${run}`,
    `/compare/${board.id}`,
    '/batches',
    '/batches/new',
    '/suites',
    `/suites/${suite.id}`,
    `/suites/${suite.id}?view=experiments`,
    `/suites/${suite.id}?view=compare`,
    ...['list', 'review', 'reply', 'import'].map((view) => `/annotations?app=${chat}&view=${view}`),
    `/annotations?app=${chat}&annotation=${annotation.id}`,
    '/datasets',
    `/datasets/${dataset}`,
    `/datasets/${dataset}?update=${document}`,
    `/datasets/${dataset}/settings`,
    `/datasets/${dataset}/retrieval`,
    `/datasets/${dataset}/documents/${document}?segment=${segment}`,
    `/datasets/${dataset}/documents/${document}?segment=${segment}&child=segment`,
    `/ledger?q=${nobody}`,
    '/ledger/retention',
    '/drift',
    '/waiting',
    '/workspaces',
    '/people',
    '/servers',
  ].map((path) => `${loupe.url}${path}${path.includes('?') ? '&' : '?'}workspace=${w}`)

  const viewer = await signInAs(signedInPage, loupe, browser, 'Vito Lind', 'viewer')
  let pressed = 0
  for (const url of screens) {
    pressed += await pressAllButtons(viewer.page, url)
    await expect(viewer.page.locator('a[href*="/export"]')).toHaveCount(0)
  }
  await viewer.page.goto(screens[1] ?? '')
  await expect(viewer.page.getByRole('log')).toContainText('Loupe')
  await expect(
    viewer.page.getByText('You have read-only access. Running apps requires the role operator.'),
  ).toBeVisible()
  await expectAccessible(viewer.page)
  expect(pressed).toBeGreaterThan(screens.length)
  expect(viewer.refused).toEqual([])
  await viewer.leave()

  const operator = await signInAs(signedInPage, loupe, browser, 'Olga Reed', 'operator', [{ workspace: w, key: chat }])
  for (const url of screens.filter((one) => !/datasets\/|completion|workflows|compare\//.test(one))) {
    await operator.page.goto(url)
    await operator.page.waitForLoadState('networkidle')
  }
  await expect(operator.page.getByText('Only admins can')).toBeVisible()
  await operator.page.goto(screens[2] ?? '')
  await operator.page.getByRole('textbox', { name: 'Your question' }).fill('What is Loupe?')
  await operator.page.keyboard.press('Control+Enter')
  await expect(operator.page.getByRole('article', { name: 'Answer' })).toContainText('Loupe')
  expect(operator.refused).toEqual([])
  await operator.leave()
})

/** Somebody with an account, signed in in a browser of their own; `refused` collects what the server has denied them. */
async function signInAs(
  signedInPage: Page,
  loupe: LoupeProcess,
  browser: Browser,
  name: string,
  role: string,
  grants?: unknown[],
) {
  const headers = { 'x-console': '1' }
  const made = await signedInPage.request.post(`${loupe.url}/api/people`, { headers, data: { name, role } })
  const { id, link } = (await made.json()) as { id: string; link: string }
  if (grants)
    await signedInPage.request.patch(`${loupe.url}/api/people/${id}`, { headers, data: { narrowed: true, grants } })
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.request.post(`${loupe.url}/api/session`, { headers, data: { token: link } })
  const set = await page.request.put(`${loupe.url}/api/account/password`, { headers, data: { password: PASSWORD } })
  expect(set.status()).toBe(200)
  const refused: string[] = []
  page.on('response', (response) => {
    if ([401, 403, 404].includes(response.status()))
      refused.push(`${response.status()} ${response.request().method()} ${response.url()} on ${page.url()}`)
  })
  return { page, refused, leave: () => context.close() }
}

/** Presses every button of a screen that can be pressed, with what opens of them, and the letters. */
async function pressAllButtons(page: Page, url: string): Promise<number> {
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  for (const letter of ['a', 'e', 'm', 'n', 'r', 'Control+Enter', 'Escape']) await page.keyboard.press(letter)
  return page.evaluate(async () => {
    const pressed = new Set<string>()
    const next = () =>
      [...document.querySelectorAll<HTMLButtonElement>('button:enabled')].find(
        (one) => !one.closest('nav, header[role=banner]') && one.checkVisibility() && !pressed.has(nameOf(one)),
      )
    const nameOf = (one: HTMLElement) => one.ariaLabel ?? one.innerText
    for (let button = next(); button && pressed.size < 40; button = next()) {
      pressed.add(nameOf(button))
      button.click()
      await new Promise((drawn) => setTimeout(drawn, 30))
    }
    return pressed.size
  })
}
