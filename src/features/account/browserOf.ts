const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
]
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** The browser and the system that a user agent names, null where it names none that is known. */
export function browserOf(agent: string): { browser: string; version: string; system: string } | null {
  const system = SYSTEMS.find(([, mark]) => mark.test(agent))?.[0]
  for (const [browser, mark] of BROWSERS) {
    const version = mark.exec(agent)?.[1]
    if (version && system) return { browser, version, system }
  }
  return null
}
