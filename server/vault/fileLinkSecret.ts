import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Env } from '../env.ts'
import { openSecretFile } from './secretFile.ts'

const SECRET_BYTES = 32
const SECRET_PATTERN = /^[0-9a-f]{64}$/

/**
 * The secret that signs the built-in platform's links to files: derived from `MASTER_KEY`, so that servers that share it
 * accept each other's links, otherwise from `DATA_DIR/secrets/file-links.key`, which the first start creates. Links
 * live for minutes, so a file that was lost or damaged is made again.
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
