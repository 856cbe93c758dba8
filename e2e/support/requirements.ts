import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { canMount } from './memoryMounts.ts'
import { isExecutable, type Program, programs } from './programs.ts'
import { toSkippedTitle } from './skippedTitles.ts'

/** A requirement that a machine may lack, and its text in the report. */
export interface Requirement {
  isMet: boolean
  reason: string
}

const requireProgram = ({ name, packages, find }: Program): Requirement => ({
  isMet: find() !== null,
  reason: `no ${name} (Debian: apt install ${packages.join(' ')})`,
})

/** @param binaries the folder of PostgreSQL's programs */
function hasPgvector(binaries: string | null): boolean {
  const program = binaries && join(binaries, 'pg_config')
  if (!program || !isExecutable(program)) return false
  const shared = execFileSync(program, ['--sharedir'], { encoding: 'utf8' }).trim()
  return existsSync(join(shared, 'extension', 'vector.control'))
}

/** The folder of recordings and collections that stay outside of this project: `SHARED_DATA`, or `../shared` beside it. */
export const SHARED_DATA = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../shared')

/** What tests need beyond Node, npm's packages and a Chromium. */
export const requirements = {
  postgresql: requireProgram(programs.postgresql),
  libfaketime: requireProgram(programs.libfaketime),
  /** Debian 12 has no package of it for its PostgreSQL. */
  pgvector: { isMet: hasPgvector(programs.postgresql.find()), reason: 'no pgvector in PostgreSQL' },
  nginx: requireProgram(programs.nginx),
  haproxy: requireProgram(programs.haproxy),
  caddy: requireProgram(programs.caddy),
  get mounts(): Requirement {
    return { isMet: canMount(), reason: 'no mounts (they need root on Linux, and a container that allows them)' }
  },
  /** A file or folder of `SHARED_DATA`. */
  sharedData: (path: string): Requirement => ({
    isMet: existsSync(join(SHARED_DATA, path)),
    reason: `no ${path} in ../shared or SHARED_DATA`,
  }),
}

/** `describe` where the machine has what the tests need; else they are skipped, and counted with the reason. */
export function describeWith(requirement: Requirement): (title: string, tests: () => void) => void {
  return (title, tests) => describe.skipIf(!requirement.isMet)(titleWith(requirement, title), tests)
}

/** The title of a test, with the reason behind it when it is skipped. */
export const titleWith = ({ isMet, reason }: Requirement, title: string): string =>
  isMet ? title : toSkippedTitle(title, reason)
