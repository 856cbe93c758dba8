import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
  readFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { hkdfSync, randomBytes } from 'node:crypto'
import type { Env } from '../env.ts'

/**
 * The folder for secrets is next to the database's folder, never inside it: a backup of the database opens nothing.
 * Only the owner can read its files, which are replaced atomically and written to disk before a database needs them.
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

const SECRET_BYTES = 32
const SECRET_PATTERN = /^[0-9a-f]{64}$/

/**
 * The secret that signs the built-in platform's links to files: derived from `MASTER_KEY`, so that servers that share
 * it accept each other's links, otherwise from `DATA_DIR/secrets/file-links.key`, which the first start creates.
 * Links are valid for minutes, so a lost or damaged file is created again.
 */
export function loadFileLinkSecret({ MASTER_KEY, DATA_DIR }: Pick<Env, 'MASTER_KEY' | 'DATA_DIR'>): Buffer {
  const [masterKey] = MASTER_KEY?.split(',') ?? []
  if (masterKey)
    return Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'hex'), '', 'loupe file links', SECRET_BYTES))
  const file = openSecretFile(DATA_DIR, 'file-links.key')
  const saved = file.exists ? readFileSync(file.path, 'utf8').trim() : ''
  if (SECRET_PATTERN.test(saved)) return Buffer.from(saved, 'hex')
  const secret = randomBytes(SECRET_BYTES)
  file.write(`${secret.toString('hex')}\n`)
  return secret
}
