import { ATTACKS } from '#support/attackVariants.ts'
import { answerSlowly, createAnswerIds } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

const ATTACK_END = 'The end of the attack.'
/** So many in one answer. */
const ATTACKS_PER_ANSWER = 106
/** What the console itself loads to show a page. */
const CONSOLE_PATHS = /^\/(chat\?|assets\/|api\/|favicon|logo|trusted|theme|[\w-]+\.(js|svg|ico|webmanifest)$)/

test(`${ATTACKS.length} hostile answers run nothing, load nothing and send nothing`, async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(500)
  const parts = Array.from({ length: Math.ceil(ATTACKS.length / ATTACKS_PER_ANSWER) }, (_, part) =>
    ATTACKS.slice(part * ATTACKS_PER_ANSWER, (part + 1) * ATTACKS_PER_ANSWER),
  )
  const requests: { url: string; type: string }[] = []
  signedInPage.on('request', (request) => requests.push({ url: request.url(), type: request.resourceType() }))
  await signedInPage.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { violations: seen })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      seen.push(`${violatedDirective} ${blockedURI}`),
    )
  })
  for (const part of parts) {
    faultyWorkspace.platform.script = (seen, response) =>
      seen.path.endsWith('/chat-messages')
        ? answerSlowly(response, createAnswerIds(), [...part.map((one) => `${one}\n\n`), ATTACK_END], 1)
        : void response.writeHead(404).end()
    await signedInPage.goto(faultyWorkspace.chat)
    await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('Attack.')
    await signedInPage.keyboard.press('Control+Enter')
    const article = signedInPage.getByRole('log').getByRole('article', { name: 'Answer' })
    await expect(article.getByText(ATTACK_END)).toBeVisible()
    await expect(article.getByRole('button', { name: 'Regenerate' })).toBeVisible()
    await article.evaluate(openFolds)

    await expect(article.locator(LOADING_ELEMENTS)).toHaveCount(0)
    expect(await article.evaluate(findUnsafeLinks)).toEqual([])
    expect(await article.evaluate(findUnsafeAttributes)).toEqual([])
    expect(await signedInPage.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await signedInPage.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([])
    expect(new URL(signedInPage.url()).origin).toBe(loupe.url)
  }
  const own = requests.filter(({ url }) => url.startsWith(`${loupe.url}/`))
  expect(requests.filter((request) => !own.includes(request))).toEqual([])
  expect(own.filter(({ url }) => !CONSOLE_PATHS.test(url.slice(loupe.url.length)))).toEqual([])
  expect(own.filter(({ type, url }) => type === 'image' && !/favicon|logo/.test(url))).toEqual([])
})

/** Elements that load, run, send or take the page over. */
const LOADING_ELEMENTS =
  'img, picture, video, audio, source, iframe, frame, object, embed, script, style, link, meta, base, form, ' +
  'textarea, select, dialog, template, marquee, portal, math, image, use, animate, input:not([type=checkbox][disabled])'

/** Opens what is folded, all at once: a click on each would take longer than the rest. */
const openFolds = (article: Element): void => {
  for (const fold of article.querySelectorAll('details')) fold.open = true
}

/** Links that lead anywhere but out, or that hand on more than they must. */
const findUnsafeLinks = (article: Element): string[] =>
  [...article.querySelectorAll('a, area, [xlink\\:href]')]
    .filter((link) => {
      const href = link.getAttribute('href') ?? ''
      const isOut = /^(https?:\/\/|mailto:)/.test(href) && link.getAttribute('target') === '_blank'
      return !isOut || !/noopener.*noreferrer/.test(link.getAttribute('rel') ?? '')
    })
    .map((link) => link.outerHTML)

/** Attributes that run, style or name something, but for the console's own. */
const findUnsafeAttributes = (article: Element): string[] =>
  [...article.querySelectorAll('*')]
    .filter((element) => !element.closest('svg'))
    .flatMap((element) => [...element.attributes].map(({ name, value }) => `${element.tagName} ${name}=${value}`))
    .filter((attribute) => !attribute.startsWith('BUTTON style='))
    .filter((attribute) => / (on\w+|style|id|name|srcset|srcdoc|formaction|action|src)=/i.test(attribute))
