import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { getVisibleTime, launchBrowser, openConsolePage, tracePage } from './benchPage.ts'
import { type Figure, median, toFigure } from './figures.ts'
import { renderCase } from './render/renderBench.ts'
import { addBenchKey, startUpstream } from './streams/streamProcesses.ts'

const ROUND_COUNT = 3
const COMPARED_ROUNDS = 5
/** By so much more a figure counts as worse than that of another commit. */
const MAX_RATIO = 1.15

/** What the official starter needs at 4x CPU throttle, milliseconds (measured once, on such a machine): until it is usable, and blocked meanwhile. */
const STARTER_MS = { usable: 1200, blocked: 240 }
const CPU_THROTTLE = 4
const TOKEN_COUNT = 4000
const TOKENS_PER_SECOND = 500
const QUESTION_FIELD = 'main textarea'

interface PageLoad {
  jsKib: number
  requests: number
  /** Until a question can be typed. */
  usable: number
  /** What its tasks took over 50 ms each. */
  blocked: number
  /** Its modules. */
  scripts: string[]
}

/** What the chat page costs: on its first load, also on a slow machine, and while a long answer comes through the whole app. */
export async function runPageBench(): Promise<Figure[]> {
  const loupe = await new LoupeProcess().start()
  const loadChat = (throttle?: number) => loadPage(`${loupe.url}/chat`, { loupe, throttle })
  const site = await serveStaticPage((await loadChat()).scripts)
  try {
    const [fast, slow, still]: [PageLoad[], PageLoad[], PageLoad[]] = [[], [], []]
    for (let round = 0; round < ROUND_COUNT; round++) {
      fast.push(await loadChat())
      slow.push(await loadChat(CPU_THROTTLE))
      still.push(await loadPage(site.url, { throttle: CPU_THROTTLE }))
    }
    const of = (loads: PageLoad[], name: Exclude<keyof PageLoad, 'scripts'>) => median(loads.map((load) => load[name]))
    const typed = 'until a question can be typed'
    const [slowMs, stillMs, blockedMs] = [of(slow, 'usable'), of(still, 'usable'), of(slow, 'blocked')]
    return [
      toFigure('JavaScript of /chat, gzip -9', of(fast, 'jsKib'), 'KiB', {
        against: 'official starter 465',
        goal: '<= 200',
      }),
      toFigure('requests of /chat', of(fast, 'requests'), 'requests', { goal: '<= 20' }),
      toFigure(typed, of(fast, 'usable'), 'ms'),
      toFigure(`${typed}, 4x throttle`, slowMs / STARTER_MS.usable, 'times the official starter', {
        against: `${slowMs.toFixed(0)} ms to ${STARTER_MS.usable}`,
        goal: '<= 0.7 times',
      }),
      toFigure(
        `${typed}, 4x throttle, to a page that loads as much JavaScript and runs none`,
        slowMs / stillMs,
        'times',
        { against: `${slowMs.toFixed(0)} ms to ${stillMs.toFixed(0)}` },
      ),
      toFigure('blocked meanwhile, 4x throttle', blockedMs / STARTER_MS.blocked, 'times the official starter', {
        against: `${blockedMs.toFixed(0)} ms to ${STARTER_MS.blocked}`,
        goal: '<= 0.5 times',
      }),
      ...(await measureAnswer()),
    ]
  } finally {
    site.close()
    await loupe.remove()
  }
}

/**
 * Loads the chat page of this and of another commit in turn, five times each. The other one is built in a worktree of its own, with
 * the packages of its lock file.
 */
export async function comparePages(commit: string): Promise<Figure[]> {
  const root = mkdtempSync(join(tmpdir(), 'loupe-commit-'))
  const run = (command: string, args: string[], cwd = root) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  run('git', ['worktree', 'add', '--detach', root, commit], '.')
  const loupes: LoupeProcess[] = []
  try {
    run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'])
    run(process.execPath, ['server/browserApp/buildCommand.ts'])
    for (const folder of ['.', root]) loupes.push(await new LoupeProcess({}, folder).start())
    const loads = loupes.map(() => ({ fast: new Array<PageLoad>(), slow: new Array<PageLoad>() }))
    for (let round = 0; round < COMPARED_ROUNDS; round++)
      for (const [index, loupe] of loupes.entries()) {
        loads[index]?.fast.push(await loadPage(`${loupe.url}/chat`, { loupe }))
        loads[index]?.slow.push(await loadPage(`${loupe.url}/chat`, { loupe, throttle: CPU_THROTTLE }))
      }
    const compare = (what: string, speed: 'fast' | 'slow', name: Exclude<keyof PageLoad, 'scripts'>): Figure => {
      const [now = Number.NaN, before = Number.NaN] = loads.map((one) => median(one[speed].map((load) => load[name])))
      const verdict = now > before * MAX_RATIO ? ' (WORSE)' : ''
      return toFigure(what, now / before, 'times', {
        against: `${now.toFixed(1)} now, ${before.toFixed(1)} at ${commit}`,
        goal: `<= ${MAX_RATIO}${verdict}`,
      })
    }
    return [
      compare('KiB of JavaScript of /chat, gzip -9', 'fast', 'jsKib'),
      compare('requests of /chat', 'fast', 'requests'),
      compare('ms until a question can be typed', 'fast', 'usable'),
      compare('ms until a question can be typed, 4x throttle', 'slow', 'usable'),
      compare('ms blocked meanwhile, 4x throttle', 'slow', 'blocked'),
    ]
  } finally {
    for (const loupe of loupes) await loupe.remove()
    run('git', ['worktree', 'remove', '--force', root], '.')
    rmSync(root, { recursive: true, force: true })
  }
}

/** An answer through the whole app: platform, relay, ledger, line, transcript and inspector; against a page that parses it all at each token. */
async function measureAnswer(): Promise<Figure[]> {
  const upstream = await startUpstream()
  const loupe = await new LoupeProcess({ PLATFORM: 'off' }).start()
  const browser = await launchBrowser()
  try {
    await addBenchKey(loupe, upstream.url, 'chat')
    const { page } = await openConsolePage(browser, loupe)
    await page.goto(`${loupe.url}/chat`)
    await page.locator(QUESTION_FIELD).first().fill(`go n=${TOKEN_COUNT} rate=${TOKENS_PER_SECOND} md=1`)
    await page.waitForLoadState('networkidle')
    const { busy, longestTaskMs, longestTaskCpuMs } = await tracePage(page, async () => {
      await page.keyboard.press('Control+Enter')
      // It stands under an answer that has ended.
      await getVisibleTime(page, { selector: '[role=log] article', text: 'speed' })
    })
    const naive = await renderCase({ method: 'naive', tokens: TOKEN_COUNT, rate: TOKENS_PER_SECOND })
    const what = `an answer of ${TOKEN_COUNT} tokens at ${TOKENS_PER_SECOND}/s through the whole app`
    return [
      toFigure(`${what}: busy`, busy / naive.busy, 'times a naive page', {
        against: `${busy.toFixed(0)} ms to ${naive.busy.toFixed(0)}`,
        goal: '<= 0.5 times',
      }),
      toFigure(`${what}: longest task`, longestTaskMs, 'ms', {
        against: `its own time ${longestTaskCpuMs.toFixed(0)} ms`,
        goal: '< 50 ms',
      }),
    ]
  } finally {
    await browser.close()
    upstream.stop()
    await loupe.remove()
  }
}

/** Loads a page in a new browser, signed in to `loupe` if one is given. */
async function loadPage(
  url: string,
  { loupe, throttle = 1 }: { loupe?: LoupeProcess; throttle?: number | undefined },
): Promise<PageLoad> {
  const browser = await launchBrowser()
  try {
    const { page } = loupe ? await openConsolePage(browser, loupe) : { page: await browser.newPage() }
    let requests = 0
    const bodies: Promise<{ url: string; code: string }>[] = []
    page.on('response', (response) => {
      requests++
      if (response.request().resourceType() !== 'script') return
      const body = response.text().then((code) => ({ url: response.url(), code }))
      // A load that fails closes the page: its own error is reported then.
      body.catch(() => undefined)
      bodies.push(body)
    })
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
    await page.addInitScript(() => {
      Reflect.set(window, 'blocked', 0)
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          Reflect.set(window, 'blocked', Number(Reflect.get(window, 'blocked')) + duration - 50)
      }).observe({ type: 'longtask', buffered: true })
    })
    await page.goto(url, { waitUntil: 'commit' })
    const usable = await getVisibleTime(page, { selector: QUESTION_FIELD })
    await page.waitForLoadState('networkidle')
    const scripts = await Promise.all(bodies)
    return {
      jsKib: scripts.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0) / 1024,
      requests,
      usable,
      blocked: await page.evaluate(() => Number(Reflect.get(window, 'blocked'))),
      scripts: scripts.filter((script) => script.url.includes('/assets/')).map(({ code }) => code),
    }
  } finally {
    await browser.close()
  }
}

/**
 * Serves a page with one text field that loads the same JavaScript as another page, in as many files, and runs none of it:
 * what loading and parsing alone take on this machine.
 */
async function serveStaticPage(scripts: readonly string[]): Promise<{ url: string; close: () => void }> {
  const modules = new Map(scripts.map((code, index) => [`/${index}.js`, toUncalledFunction(code)]))
  const names = [...modules.keys()]
  const html = `<!doctype html><title>Static page</title><main></main>
${names.map((name) => `<link rel="modulepreload" href="${name}">`).join('\n')}
<script type="module">
${names.map((name) => `import '${name}'`).join('\n')}
document.querySelector('main').append(document.createElement('textarea'))
</script>`
  const bodies = new Map([...modules].map(([name, code]) => [name, gzipSync(code, { level: 9 })]))
  const server = createServer((request, response) => {
    const body = bodies.get(request.url ?? '/')
    const headers = { 'content-type': body ? 'text/javascript' : 'text/html', 'content-encoding': 'gzip' }
    response.writeHead(200, headers).end(body ?? gzipSync(html))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** The module as the body of a function, without the imports and the exports that the bundler puts around it. */
const toUncalledFunction = (code: string): string =>
  `export async function uncalled() {\n${code
    .replaceAll(/(?<=^|[;\n])import(?:[\w$*{][^'"`;()]*from)?["'][^"']*["'];?/g, '')
    .replace(/export\{[^}]*\};?\s*$/, '')}\n}`
