import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { MasterKeys } from './masterKeys.ts'

/**
 * Encrypts platform keys with AES-256-GCM into `2.<master>.<base64>`: the envelope's version, the id of its master key, then
 * nonce, tag and ciphertext. The binding (key id, origin, master) is additional authenticated data, so an envelope that is
 * moved to another row or another host does not open.
 */
export interface KeyEnvelope {
  seal: (value: string, bond: string) => string
  /** @throws when its master key is missing, or anything was altered */
  open: (sealed: string, bond: string) => string
}

const ENVELOPE_VERSION = '2'

export function createKeyEnvelope(masterKeys: MasterKeys): KeyEnvelope {
  return {
    seal(value, bond) {
      const { id, key } = masterKeys.getSealingKey()
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`${bond} ${id}`))
      const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
      return [ENVELOPE_VERSION, id, Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')].join('.')
    },
    open(sealed, bond) {
      const id = getMasterKeyId(sealed)
      const master = masterKeys.findById(id)
      if (!master) throw new Error('sealed with another master key')
      const bytes = Buffer.from(sealed.slice(ENVELOPE_VERSION.length + id.length + 2), 'base64')
      // The full length: Node accepts a truncated tag of four bytes, which can be guessed.
      const decipher = createDecipheriv('aes-256-gcm', master.key, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(`${bond} ${id}`))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

/** The id of an envelope's master key; empty for other text. */
export function getMasterKeyId(sealed: string): string {
  const [version, id, body] = sealed.split('.')
  return version === ENVELOPE_VERSION && body !== undefined ? (id ?? '') : ''
}
