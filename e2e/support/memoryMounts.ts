import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether a file system can be mounted here: on Linux, as root, where a container allows it. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-mount-'))
  try {
    mountMemory(folder, 1)
    unmount(folder)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Mounts an in-memory file system of the given size in MiB. */
export function mountMemory(folder: string, mebibytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'loupe', folder], { stdio: 'ignore' })
}

export function unmount(folder: string): void {
  execFileSync('umount', [folder], { stdio: 'ignore' })
}
