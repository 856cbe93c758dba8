import { statfs } from 'node:fs/promises'

/** What `statfs` says of a disk: blocks of so many bytes, all and those that are free for us. */
export interface Disk {
  bsize: number
  blocks: number
  bavail: number
}
export type ReadDisk = (folder: string) => Promise<Disk>

const MIB = 1024 * 1024
/** Room that stays: the embedded database dies of a full disk, and does not open again before there is room. */
const FLOOR = { bytes: 512 * MIB, part: 0.05, least: 64 * MIB }
/** Milliseconds between looks. */
const LOOK = 5_000

/**
 * Watches the disk of the embedded database. Below the floor (512 MiB; 5 % of a disk of less than 10 GiB, never under
 * 64 MiB) nothing new is taken in, until there is room again.
 */
export class Space {
  readonly #folder: string
  readonly #read: ReadDisk
  #timer: NodeJS.Timeout | undefined
  #lock: string | null = null

  constructor(folder: string, read: ReadDisk = statfs) {
    this.#folder = folder
    this.#read = read
  }

  /** Why nothing new is taken in; null while there is room. */
  get lock(): string | null {
    return this.#lock
  }

  async start(): Promise<void> {
    await this.look()
    this.#timer = setInterval(() => void this.look(), LOOK).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A disk that says nothing of itself counts as one with room. */
  async look(): Promise<void> {
    const disk = await this.#read(this.#folder).catch(() => null)
    if (!disk) return
    const free = disk.bavail * disk.bsize
    const floor = Math.max(FLOOR.least, Math.min(FLOOR.bytes, disk.blocks * disk.bsize * FLOOR.part))
    this.#lock = free < floor ? wordsOf(free, floor) : null
  }
}

const wordsOf = (free: number, floor: number): string =>
  `The disk of the console’s server has ${Math.floor(free / MIB)} MiB left, and ${Math.ceil(floor / MIB)} MiB stay free. ` +
  'Nothing new is taken in until there is room. What is kept can be read, exported and deleted.'
