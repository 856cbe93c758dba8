import { delimiter, join } from 'node:path'
import { isExecutable } from '#support/programs.ts'
import { canInstall, installPackages } from './installPackages.ts'

const PROGRAM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Chinese and Japanese text has to be drawn as well. */
const DEBIAN_PACKAGES = ['chromium', 'fonts-noto-cjk']
const INSTALL_ADVICE = `Set CHROMIUM to a Chromium or Chrome, or install one (on Debian as root: apt-get install ${DEBIAN_PACKAGES.join(' ')}).`

export interface ChromiumLookup {
  path: string | null
  /** Why there is none. */
  problem: string
}

/** The Chromium of this machine: the one named by `CHROMIUM`, else the first in its usual places. */
export function findChromium(env: Record<string, string | undefined>, runs = isExecutable): ChromiumLookup {
  const named = env.CHROMIUM
  if (named) return runs(named) ? toFound(named) : toMissing(`CHROMIUM is ${named}, which cannot be run.`)
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => PROGRAM_NAMES.map((name) => join(folder, name)))
  const path = [...USUAL_PATHS, ...onPath].find(runs)
  return path ? toFound(path) : toMissing('There is no Chromium on this machine.')
}

/** As `findChromium`; where there is none and packages can be installed, installs it first. */
export async function installChromium(print: (line: string) => void): Promise<ChromiumLookup> {
  const here = findChromium(process.env)
  if (here.path || process.env.CHROMIUM || !canInstall()) return here
  print(`Installing Chromium (apt-get install ${DEBIAN_PACKAGES.join(' ')})`)
  const problem = await installPackages(DEBIAN_PACKAGES)
  return problem ? toMissing(problem) : findChromium(process.env)
}

const toFound = (path: string): ChromiumLookup => ({ path, problem: '' })
const toMissing = (reason: string): ChromiumLookup => ({ path: null, problem: `${reason}\n${INSTALL_ADVICE}` })
