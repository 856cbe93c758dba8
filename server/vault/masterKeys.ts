import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { FolderError } from '../db/embedded/folderGuard.ts'
import { openSecretFile } from './secretFile.ts'

/** A master key and its id in an envelope: the first characters of its hash. */
export interface MasterKey {
  id: string
  key: Buffer
}

const KEY_PATTERN = /^[0-9a-f]{64}$/i
const FILE_NAME = 'master.key'

/**
 * The master keys: the first one encrypts, all of them decrypt. From `MASTER_KEY` (several, separated by commas,
 * during a rotation), or from `DATA_DIR/secrets/master.key`, one per line, created when the first key is stored.
 */
export class MasterKeys {
  readonly #folder: string
  readonly #fromEnv: string | undefined
  #keys: MasterKey[]

  /** @throws FolderError when the file contains anything else */
  constructor(given: string | undefined, folder: string) {
    this.#folder = folder
    this.#fromEnv = given
    this.#keys = given ? given.split(',').map(toMasterKey) : readMasterKeyFile(folder)
  }

  get source(): string {
    return this.#fromEnv ? 'MASTER_KEY' : openSecretFile(this.#folder, FILE_NAME).path
  }

  get isFromEnv(): boolean {
    return this.#fromEnv !== undefined
  }

  get all(): readonly MasterKey[] {
    return this.#keys
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0
  }

  /** The current master key. If there is none it is created now, for the first stored key. */
  getSealingKey(): MasterKey {
    // Another server on this folder may have created one meanwhile.
    if (this.#keys.length === 0) this.#keys = readMasterKeyFile(this.#folder)
    if (this.#keys.length === 0) this.#write([toMasterKey(randomBytes(32).toString('hex'))])
    return this.#keys[0] as MasterKey
  }

  /** Another server may have created a new one since this server read the file. */
  findById(id: string): MasterKey | undefined {
    const known = this.#keys.find((master) => master.id === id)
    if (known || this.isFromEnv) return known
    this.#keys = readMasterKeyFile(this.#folder)
    return this.#keys.find((master) => master.id === id)
  }

  /** Adds a new current master key; the earlier ones still decrypt until `dropOlderThan`. */
  addNew(): void {
    this.#write([toMasterKey(randomBytes(32).toString('hex')), ...this.#keys])
  }

  /** Deletes all except this one. If there is a newer one, another renewal has begun that still needs them. */
  dropOlderThan(id: string): void {
    if (!this.isFromEnv && this.#keys.length > 1 && this.#keys[0]?.id === id) this.#write(this.#keys.slice(0, 1))
  }

  #write(all: MasterKey[]): void {
    openSecretFile(this.#folder, FILE_NAME).write(all.map(({ key }) => `${key.toString('hex')}\n`).join(''))
    this.#keys = all
  }
}

function readMasterKeyFile(folder: string): MasterKey[] {
  const { path, exists } = openSecretFile(folder, FILE_NAME)
  if (!exists) return []
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  if (!lines.every((line) => KEY_PATTERN.test(line.trim())))
    throw new FolderError(`The master key in ${path} is not 64 hexadecimal digits.`)
  return lines.map(toMasterKey)
}

function toMasterKey(text: string): MasterKey {
  const key = Buffer.from(text.trim(), 'hex')
  return { id: createHash('sha256').update('master').update(key).digest('hex').slice(0, 8), key }
}
