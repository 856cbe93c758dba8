import type { Page } from '@playwright/test'
import { listIdleScrollBars } from '#support/accessibility.ts'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import { expect, test } from '#support/fixtures.ts'
import { createJsonSender } from '#support/postJson.ts'
import { prepareScreens } from '#support/screenTour.ts'

// As for people with a mouse on Windows or Linux; a headless Chromium draws none.
test.use({ launchOptions: { ...CHROMIUM_OPTIONS, ignoreDefaultArgs: ['--hide-scrollbars'] } })

test('every scroll bar of every list and pane moves something', async ({ signedInPage, faultyWorkspace, loupe }) => {
  test.setTimeout(900_000)
  const { places, prepare } = await prepareScreens(signedInPage, faultyWorkspace, loupe.url)
  const suite = await createComparedSuite(signedInPage, loupe.url)
  places.push(
    ...['', '?view=experiments', '?view=compare'].map((search) => `${loupe.url}/suites/${suite}${search}`),
    ...['/suites', '/people', '/people/audit', '/workspaces', '/account'].map((path) => loupe.url + path),
    `${loupe.url}/ledger/retention?workspace=${faultyWorkspace.id}`,
    `${loupe.url}/workflows`,
  )
  await signedInPage.goto(loupe.url)
  expect(await measureBarWidth(signedInPage), 'scroll bars are drawn').toBeGreaterThan(0)

  const idle: string[] = []
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await signedInPage.setViewportSize({ width, height })
    for (const place of places) {
      await signedInPage.goto(place)
      await expect(signedInPage.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await prepare(place)
      await expect(signedInPage.locator('[aria-busy="true"]')).toHaveCount(0)
      const bars = await listIdleScrollBars(signedInPage)
      idle.push(...bars.map((bar) => `${place.replace(loupe.url, '')} at ${width} px: ${bar}`))
    }
  }
  expect(idle).toEqual([])
})

/** A suite with two experiments, so that its results and a comparison have rows. */
async function createComparedSuite(page: Page, url: string): Promise<string> {
  const reply = await page.request.get(`${url}/api/resources?kind=dataset`)
  const [dataset] = ((await reply.json()) as { data: { id: string; workspace: string }[] }).data
  const postJson = createJsonSender(page.request, url)
  const { id } = await postJson('/api/suites', {
    workspace: dataset?.workspace,
    name: 'Retrieval',
    target: 'retrieval',
    about: dataset?.id,
    cases: [{ input: { query: 'What is Loupe?' } }, { input: { query: 'What is a run?' } }],
  })
  for (const name of ['First', 'Second']) await postJson(`/api/suites/${id}/experiments`, { name })
  return id
}

const measureBarWidth = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const box = document.createElement('div')
    box.style.cssText = 'position: fixed; width: 100px; overflow: scroll'
    document.body.append(box)
    const width = box.offsetWidth - box.clientWidth
    box.remove()
    return width
  })
