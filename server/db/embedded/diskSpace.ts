import { statfs } from 'node:fs/promises'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'

/** The result of `statfs`: block size in bytes, total blocks and blocks available to us. */
export interface DiskStats {
  bsize: number
  blocks: number
  bavail: number
}
export type ReadDiskStats = (folder: string) => Promise<DiskStats>

const MIB_BYTES = 1024 * 1024
/** Space that stays free: a full disk terminates the embedded database, which cannot reopen until there is space. */
const MIN_FREE_SPACE = { bytes: 512 * MIB_BYTES, fraction: 0.05, min_bytes: 64 * MIB_BYTES }
const CHECK_INTERVAL_MS = 5_000

/**
 * Watches the disk of the embedded database. Below the floor (512 MiB; 5 % of a disk of less than 10 GiB, never under
 * 64 MiB) new runs and writes are refused until there is space.
 */
export class DiskSpaceMonitor {
  readonly #folder: string
  readonly #readDisk: ReadDiskStats
  readonly #job = new BackgroundJob({
    run: () => this.check(),
    onError: () => undefined,
    intervalMs: CHECK_INTERVAL_MS,
  })
  #lockReason: string | null = null

  constructor(folder: string, read: ReadDiskStats = statfs) {
    this.#folder = folder
    this.#readDisk = read
  }

  /** Why writes are refused; null while there is space. */
  get lockReason(): string | null {
    return this.#lockReason
  }

  async start(): Promise<void> {
    await this.check()
    this.#job.start()
  }

  stop(): void {
    this.#job.stop()
  }

  async check(): Promise<void> {
    const disk = await this.#readDisk(this.#folder).catch(() => null)
    if (!disk) return
    const free = disk.bavail * disk.bsize
    const floor = Math.max(
      MIN_FREE_SPACE.min_bytes,
      Math.min(MIN_FREE_SPACE.bytes, disk.blocks * disk.bsize * MIN_FREE_SPACE.fraction),
    )
    this.#lockReason = free < floor ? toDiskFullMessage(free, floor) : null
  }
}

const toDiskFullMessage = (free: number, floor: number): string =>
  `The disk of the console’s server has ${Math.floor(free / MIB_BYTES)} MiB left, and ${Math.ceil(floor / MIB_BYTES)} MiB stay free. ` +
  'New data is refused until there is space. Stored data can be read, exported and deleted.'
