import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Seals platform keys with AES-256-GCM. What a seal is bound to (key id, origin) goes in as additional data, so that a
 * sealed value moved to another row or another host does not open.
 */
export interface Seal {
  close: (value: string, bond: string) => string
  /** @throws when the master key is not the one it was sealed with, or anything was altered. */
  open: (sealed: string, bond: string) => string
}

export function seal(master: Buffer): Seal {
  return {
    close(value, bond) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(Buffer.from(bond))
      const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed, bond) {
      const bytes = Buffer.from(sealed, 'base64')
      // Its whole length: a tag cut to four bytes would be taken, and four bytes can be guessed.
      const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(bond))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

/**
 * The folder for secrets stands beside the database's folder, never in it: a backup of the database opens nothing.
 * Files in it are readable by their owner only.
 */
export function secretFile(
  folder: string,
  name: string,
): { path: string; exists: boolean; write: (text: string) => void } {
  const place = join(folder, 'secrets')
  const path = join(place, name)
  return {
    path,
    exists: existsSync(path),
    write(text) {
      mkdirSync(place, { recursive: true, mode: 0o700 })
      chmodSync(place, 0o700)
      writeFileSync(path, text, { mode: 0o600 })
    },
  }
}

/** `MASTER_KEY`, or the one in `DATA_DIR/secrets/master.key`, made at the first start. */
export function masterKey(given: string | undefined, folder: string, mayMake: boolean): Buffer {
  if (given) return Buffer.from(given, 'hex')
  const file = secretFile(folder, 'master.key')
  if (file.exists) {
    const text = readFileSync(file.path, 'utf8').trim()
    if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error(`The master key in ${file.path} is not 64 hexadecimal digits.`)
    return Buffer.from(text, 'hex')
  }
  if (!mayMake)
    throw new Error(
      `The master key is missing: ${file.path} does not exist and MASTER_KEY is not set, but the database holds keys sealed with it. Bring it back.`,
    )
  const made = randomBytes(32)
  file.write(`${made.toString('hex')}\n`)
  return made
}
