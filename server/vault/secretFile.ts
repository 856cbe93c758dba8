import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folder for secrets is next to the database's folder, never inside it: a backup of the database opens nothing. Only the
 * owner can read its files, and they are replaced atomically. They are on the disk before what needs them is in a database.
 */
export function openSecretFile(
  folder: string,
  name: string,
): { path: string; exists: boolean; write: (text: string) => void } {
  const secretsDir = join(folder, 'secrets')
  const path = join(secretsDir, name)
  return {
    path,
    exists: existsSync(path),
    write(text) {
      mkdirSync(secretsDir, { recursive: true, mode: 0o700 })
      chmodSync(secretsDir, 0o700)
      writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
      renameSync(`${path}.new`, path)
      const folderHandle = openSync(secretsDir, 'r')
      fsyncSync(folderHandle)
      closeSync(folderHandle)
    },
  }
}
