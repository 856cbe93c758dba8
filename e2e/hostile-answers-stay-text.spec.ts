import { ATTACKS } from './faults/disguises.ts'
import { answerSlowly, newIds } from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

const LAST = 'The end of the attack.'
/** So many in one answer. */
const PART = 106
/** What the console itself loads to show a page. */
const OWN = /^\/(chat\?|assets\/|api\/|favicon|logo|trusted|theme|[\w-]+\.(js|svg|ico|webmanifest)$)/

test(`${ATTACKS.length} hostile answers run nothing, load nothing and send nothing`, async ({
  desk,
  faults,
  loupe,
}) => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(500)
  const parts = Array.from({ length: Math.ceil(ATTACKS.length / PART) }, (_, part) =>
    ATTACKS.slice(part * PART, (part + 1) * PART),
  )
  const requests: { url: string; type: string }[] = []
  desk.on('request', (request) => requests.push({ url: request.url(), type: request.resourceType() }))
  await desk.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { violations: seen })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      seen.push(`${violatedDirective} ${blockedURI}`),
    )
  })
  for (const part of parts) {
    faults.platform.script = (seen, response) =>
      seen.path.endsWith('/chat-messages')
        ? answerSlowly(response, newIds(), [...part.map((one) => `${one}\n\n`), LAST], 1)
        : void response.writeHead(404).end()
    await desk.goto(faults.chat)
    await desk.getByRole('textbox', { name: 'Your question' }).fill('Attack.')
    await desk.keyboard.press('Control+Enter')
    const article = desk.getByRole('log').getByRole('article', { name: 'Answer' })
    await expect(article.getByText(LAST)).toBeVisible()
    await expect(article.getByRole('button', { name: 'Ask once more' })).toBeVisible()
    await article.evaluate(openFolds)

    await expect(article.locator(LOADS)).toHaveCount(0)
    expect(await article.evaluate(oddLinks)).toEqual([])
    expect(await article.evaluate(oddAttributes)).toEqual([])
    expect(await desk.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await desk.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([])
    expect(new URL(desk.url()).origin).toBe(loupe.url)
  }
  const own = requests.filter(({ url }) => url.startsWith(`${loupe.url}/`))
  expect(requests.filter((request) => !own.includes(request))).toEqual([])
  expect(own.filter(({ url }) => !OWN.test(url.slice(loupe.url.length)))).toEqual([])
  expect(own.filter(({ type, url }) => type === 'image' && !/favicon|logo/.test(url))).toEqual([])
})

/** Elements that load, run, send or take the page over. */
const LOADS =
  'img, picture, video, audio, source, iframe, frame, object, embed, script, style, link, meta, base, form, ' +
  'textarea, select, dialog, template, marquee, portal, math, image, use, animate, input:not([type=checkbox][disabled])'

/** Opens what is folded, all at once: a click on each would take longer than the rest. */
const openFolds = (article: Element): void => {
  for (const fold of article.querySelectorAll('details')) fold.open = true
}

/** Links that lead anywhere but out, or that hand on more than they must. */
const oddLinks = (article: Element): string[] =>
  [...article.querySelectorAll('a, area, [xlink\\:href]')]
    .filter((link) => {
      const href = link.getAttribute('href') ?? ''
      const isOut = /^(https?:\/\/|mailto:)/.test(href) && link.getAttribute('target') === '_blank'
      return !isOut || !/noopener.*noreferrer/.test(link.getAttribute('rel') ?? '')
    })
    .map((link) => link.outerHTML)

/** Attributes that run, style or name something, but for the console's own. */
const oddAttributes = (article: Element): string[] =>
  [...article.querySelectorAll('*')]
    .filter((element) => !element.closest('svg'))
    .flatMap((element) => [...element.attributes].map(({ name, value }) => `${element.tagName} ${name}=${value}`))
    .filter((attribute) => !attribute.startsWith('BUTTON style='))
    .filter((attribute) => / (on\w+|style|id|name|srcset|srcdoc|formaction|action|src)=/i.test(attribute))
