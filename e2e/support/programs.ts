import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that some tests need and that npm does not bring. */
export interface Program {
  name: string
  /** What the tests do with it. */
  purpose: string
  /** Debian's packages that bring it. */
  packages: readonly string[]
  /** Its path on this machine: the program, or for a suite of programs or libraries their folder; null when it is missing. */
  find: () => string | null
}

const POSTGRESQL_HOME = '/usr/lib/postgresql'
const SYSTEM_FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']
const LIBRARY_FOLDERS = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime`)

/** Every program that the tests look for, each looked up in one way. */
export const programs = {
  postgresql: {
    name: 'PostgreSQL',
    purpose: 'tests of several servers, lost connections and crashes of the database',
    packages: ['postgresql'],
    find: findPostgresql,
  },
  libfaketime: {
    name: 'libfaketime',
    purpose: 'tests in which the clock jumps',
    packages: ['libfaketime'],
    find: () => LIBRARY_FOLDERS.find((folder) => existsSync(join(folder, 'libfaketimeMT.so.1'))) ?? null,
  },
  nginx: toProxyProgram('nginx'),
  haproxy: toProxyProgram('HAProxy'),
  caddy: toProxyProgram('Caddy'),
} satisfies Record<string, Program>

function toProxyProgram(name: string): Program {
  const program = name.toLowerCase()
  return { name, purpose: 'tests of its shipped configuration', packages: [program], find: () => findOnPath(program) }
}

/** The newest PostgreSQL's folder of programs. */
function findPostgresql(): string | null {
  const versions = existsSync(POSTGRESQL_HOME) ? readdirSync(POSTGRESQL_HOME) : []
  return (
    versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(POSTGRESQL_HOME, version, 'bin'))
      .find((folder) => isExecutable(join(folder, 'initdb'))) ?? null
  )
}

function findOnPath(program: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS]
  return folders.map((folder) => join(folder, program)).find(isExecutable) ?? null
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
