import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { isExecutable, programs } from '#support/programs.ts'
import { runCommand } from '../runCommand.ts'

const APT_PATH = '/usr/bin/apt-get'
/** Debian asks this script whether a new package may start its service; 101 says no. */
const POLICY_PATH = '/usr/sbin/policy-rc.d'

/** Whether packages can be installed here: Debian, as root. */
export const canInstall = (): boolean => isExecutable(APT_PATH) && process.getuid?.() === 0

/** Installs Debian's packages without starting their services. @returns why it failed, or null. */
export async function installPackages(packages: readonly string[]): Promise<string | null> {
  const isOurs = !existsSync(POLICY_PATH)
  if (isOurs) writeFileSync(POLICY_PATH, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
      const { ok, output } = await runCommand('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
      if (!ok) return `${output}\napt-get ${args[0]} failed.`
    }
    return null
  } finally {
    if (isOurs) rmSync(POLICY_PATH)
  }
}

/** Installs the programs that the tests look for and this machine lacks, where it can; says what it does. */
export async function installPrograms(print: (line: string) => void): Promise<void> {
  const missing = Object.values(programs).filter(({ find }) => find() === null)
  if (missing.length === 0 || !canInstall()) return
  const packages = missing.flatMap((program) => program.packages)
  print(
    `Installing ${missing.map(({ name }) => name).join(', ')} for the tests (apt-get install ${packages.join(' ')})`,
  )
  const problem = await installPackages(packages)
  if (problem) print(`${problem} Going on without; what needs them is skipped.`)
}
