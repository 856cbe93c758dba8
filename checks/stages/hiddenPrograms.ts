import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { programs } from '#support/programs.ts'

/** Whether a command can be run in a mount namespace of its own: on Linux, as root. */
export function canHidePrograms(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs `command` where none of the programs of `e2e/support/programs.ts` is to be found: something empty is mounted over each. */
export function toHidingCommand(command: readonly string[]): [string, ...string[]] {
  const paths = Object.values(programs).flatMap(({ find }) => find() ?? [])
  const mounts = paths.map((path) =>
    statSync(path).isDirectory() ? `mount -t tmpfs -o size=1m none ${path}` : `mount --bind /dev/null ${path}`,
  )
  return ['unshare', '--mount', 'sh', '-c', [...mounts, 'exec "$@"'].join(' && '), 'sh', ...command]
}
