import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { FolderError } from '../database/guard.ts'
import { secretFile } from './secret-file.ts'

/** A master key and what it is called in an envelope: the first letters of its hash. */
export interface Master {
  id: string
  key: Buffer
}

const FORM = /^[0-9a-f]{64}$/i
const FILE = 'master.key'

/**
 * The master keys: the first seals, all of them open. From `MASTER_KEY` (several with commas between while they are
 * rotated), or from `DATA_DIR/secrets/master.key`, one a line, made when the first key is sealed.
 */
export class Masters {
  readonly #folder: string
  readonly #given: string | undefined
  #all: Master[]

  /** @throws FolderError when the file holds anything else. */
  constructor(given: string | undefined, folder: string) {
    this.#folder = folder
    this.#given = given
    this.#all = given ? given.split(',').map(masterOf) : read(folder)
  }

  /** Where they come from, in words. */
  get source(): string {
    return this.#given ? 'MASTER_KEY' : secretFile(this.#folder, FILE).path
  }

  get isGiven(): boolean {
    return this.#given !== undefined
  }

  /** The one that seals first. */
  get all(): readonly Master[] {
    return this.#all
  }

  get hasNone(): boolean {
    return this.#all.length === 0
  }

  /** The one that seals. Without any it is made now: whoever seals something has decided to have one. */
  current(): Master {
    // Another server on this folder may have made one meanwhile.
    if (this.#all.length === 0) this.#all = read(this.#folder)
    if (this.#all.length === 0) this.#write([masterOf(randomBytes(32).toString('hex'))])
    return this.#all[0] as Master
  }

  /** Another server may have made a new one since this one has read the file. */
  find(id: string): Master | undefined {
    const known = this.#all.find((master) => master.id === id)
    if (known || this.isGiven) return known
    this.#all = read(this.#folder)
    return this.#all.find((master) => master.id === id)
  }

  /** A new one that seals from now on; those before it go on opening until `retire`. */
  renew(): void {
    this.#write([masterOf(randomBytes(32).toString('hex')), ...this.#all])
  }

  /** Forgets all but the one that seals. */
  retire(): void {
    if (!this.isGiven && this.#all.length > 1) this.#write(this.#all.slice(0, 1))
  }

  #write(all: Master[]): void {
    secretFile(this.#folder, FILE).write(all.map(({ key }) => `${key.toString('hex')}\n`).join(''))
    this.#all = all
  }
}

function read(folder: string): Master[] {
  const { path, exists } = secretFile(folder, FILE)
  if (!exists) return []
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  if (!lines.every((line) => FORM.test(line.trim())))
    throw new FolderError(`The master key in ${path} is not 64 hexadecimal digits.`)
  return lines.map(masterOf)
}

function masterOf(text: string): Master {
  const key = Buffer.from(text.trim(), 'hex')
  return { id: createHash('sha256').update('master').update(key).digest('hex').slice(0, 8), key }
}
