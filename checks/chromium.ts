import { delimiter, join } from 'node:path'
import { isExecutable } from '../e2e/programs.ts'
import { canInstall, installPackages } from './packages.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PLACES = [
  '/usr/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Chinese and Japanese text has to be drawn as well. */
const PACKAGES = ['chromium', 'fonts-noto-cjk']
const ADVICE = `Set CHROMIUM to a Chromium or Chrome, or install one (on Debian as root: apt-get install ${PACKAGES.join(' ')}).`

export interface Chromium {
  path: string | null
  /** Why there is none. */
  problem: string
}

/** The Chromium of this machine: the one named by `CHROMIUM`, else the first in its usual places. */
export function findChromium(env: Record<string, string | undefined>, runs = isExecutable): Chromium {
  const named = env.CHROMIUM
  if (named) return runs(named) ? found(named) : missing(`CHROMIUM is ${named}, which cannot be run.`)
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  const path = [...PLACES, ...onPath].find(runs)
  return path ? found(path) : missing('There is no Chromium on this machine.')
}

/** As `findChromium`; where there is none and packages can be installed, installs it first. */
export async function installChromium(print: (line: string) => void): Promise<Chromium> {
  const here = findChromium(process.env)
  if (here.path || process.env.CHROMIUM || !canInstall()) return here
  print(`Installing Chromium (apt-get install ${PACKAGES.join(' ')})`)
  const problem = await installPackages(PACKAGES)
  return problem ? missing(problem) : findChromium(process.env)
}

const found = (path: string): Chromium => ({ path, problem: '' })
const missing = (reason: string): Chromium => ({ path: null, problem: `${reason}\n${ADVICE}` })
