const BROWSER_PATTERNS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
]
const SYSTEM_PATTERNS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** The browser and the system of a user agent, null if unknown. */
export function parseUserAgent(agent: string): { browser: string; version: string; system: string } | null {
  const system = SYSTEM_PATTERNS.find(([, mark]) => mark.test(agent))?.[0]
  for (const [browser, mark] of BROWSER_PATTERNS) {
    const version = mark.exec(agent)?.[1]
    if (version && system) return { browser, version, system }
  }
  return null
}
