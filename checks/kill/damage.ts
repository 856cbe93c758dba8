import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { ScriptedPlatform } from '../../e2e/faults/platform.ts'
import { Loupe } from '../../e2e/loupe.ts'
import { newFolder } from '../../server/database/folder.testing.ts'
import { Browser } from './browser.ts'
import { addApps, signIn } from './console.ts'
import { READING_FAILED, type Sums } from './sums.ts'
import { answerStreams } from './upstream.ts'

const DEEDS = ['deleted', 'cut', 'flipped'] as const
type Deed = (typeof DEEDS)[number]

/** What a start made of a damaged folder. */
export interface Damaged {
  /** The file, by its path in `DATA_DIR`. */
  file: string
  deed: Deed
  /** Whether the server had been killed before, so that nothing says how the folder was left. */
  isKilled: boolean
  /**
   * `whole`: it started with each row. `refused`: it stopped with an exit code and words. `told`: it started, and said that
   * a page is damaged when that was read. Else it is a fault: `lost` rows without a word, `mute`, or `hung`.
   */
  came: 'whole' | 'refused' | 'told' | 'lost' | 'mute' | 'hung'
  ms: number
  said: string
}
export const isFault = ({ came }: Damaged): boolean => ['lost', 'mute', 'hung'].includes(came)

/** Milliseconds in which a start has to have come to something, on a machine that has nothing else to do. */
const LIMIT = 20_000
const READING = new URL('./tables.ts', import.meta.url).pathname

/**
 * Deletes, cuts to half or flips a byte of one file after another in copies of a small `DATA_DIR`, starts on each, and
 * compares every table. Half of the images are of a server that was stopped, half of one that was killed. `images` is how
 * many, evenly over all files, of which the first `after` are left out; `patience` multiplies the limit.
 */
export async function damageFolders({
  images,
  after = 0,
  patience = 1,
  tell,
}: {
  images: number
  after?: number
  patience?: number
  tell?: (damaged: Damaged) => void
}): Promise<Damaged[]> {
  const originals = await makeOriginals()
  const place = mkdtempSync(join(tmpdir(), 'loupe-damage-'))
  const all: Damaged[] = []
  try {
    const cases = originals.flatMap(({ folder, isKilled, sums }) =>
      filesOf(folder).flatMap((file) =>
        deedsFor(join(folder, file)).map((deed) => ({ folder, isKilled, sums, file, deed })),
      ),
    )
    for (const { folder, isKilled, sums, file, deed } of choose(cases, images).slice(after)) {
      const image = join(place, 'image')
      rmSync(image, { recursive: true, force: true })
      cpSync(folder, image, { recursive: true })
      damage(join(image, file), deed)
      const damaged = { file, deed, isKilled, ...(await start(image, file, sums, LIMIT * patience)) }
      tell?.(damaged)
      all.push(damaged)
    }
    return all
  } finally {
    for (const folder of [place, ...originals.map((one) => one.folder)])
      rmSync(folder, { recursive: true, force: true })
  }
}

interface Original {
  folder: string
  isKilled: boolean
  sums: Sums
}

/** The folder of a Loupe that has run a few things: as it is left when it is stopped, and when it is killed. */
async function makeOriginals(): Promise<Original[]> {
  const platform = await ScriptedPlatform.start()
  platform.script = answerStreams
  const loupe = new Loupe()
  cpSync(await newFolder(), loupe.folder, { recursive: true })
  try {
    await loupe.start()
    const { cookie, send } = await signIn(loupe)
    const keys = await addApps(send, platform.url)
    const browser = await Browser.open(loupe.url, cookie, keys)
    const asked = browser.askMany('run', 12)
    while (asked.some(({ end }) => !end)) await wait(50)
    const folders = ['killed', 'stopped'].map((end) => mkdtempSync(join(tmpdir(), `loupe-${end}-`))) as [string, string]
    const [killed, stopped] = folders
    await loupe.kill()
    cpSync(loupe.folder, killed, { recursive: true })
    await loupe.start()
    await loupe.stop()
    cpSync(loupe.folder, stopped, { recursive: true })
    return await Promise.all(
      folders.map(async (folder) => {
        const copy = `${folder}-copy`
        cpSync(folder, copy, { recursive: true })
        const { code, out, err } = await read(copy, LIMIT * 10)
        rmSync(copy, { recursive: true })
        if (code !== 0) throw new Error(`What is not damaged does not open: ${err}`)
        return { folder, isKilled: folder === killed, sums: JSON.parse(out) as Sums }
      }),
    )
  } finally {
    await loupe.remove()
    await platform.close()
  }
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** Of an empty file nothing can be cut or flipped. */
const deedsFor = (path: string): Deed[] => (statSync(path).size === 0 ? ['deleted'] : [...DEEDS])

/** The files beside the database all, of those in it evenly so many, and of PostgreSQL's templates, which hold no row, few. */
function choose<T extends { file: string }>(all: readonly T[], count: number): T[] {
  const isTemplate = ({ file }: T) => /^database\/base\/[14]\//.test(file)
  const beside = all.filter(({ file }) => !file.startsWith('database/'))
  const inside = all.filter((one) => !beside.includes(one) && !isTemplate(one))
  const room = Math.max(count - beside.length, Math.ceil(count * 0.75))
  return [
    ...evenly(beside, count - room),
    ...evenly(inside, Math.ceil(room * 0.9)),
    ...evenly(all.filter(isTemplate), Math.floor(room * 0.1)),
  ]
}

function evenly<T>(all: readonly T[], count: number): T[] {
  if (count >= all.length) return [...all]
  const step = all.length / count
  const first = Math.random() * step
  return Array.from({ length: count }, (_, index) => all[Math.floor(first + index * step)]).filter(
    (one) => one !== undefined,
  )
}

function damage(path: string, deed: Deed): void {
  if (deed === 'deleted') return rmSync(path)
  if (deed === 'cut') return truncateSync(path, Math.floor(statSync(path).size / 2))
  const bytes = readFileSync(path)
  const at = Math.floor(Math.random() * bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
  writeFileSync(path, bytes)
}

async function start(
  folder: string,
  file: string,
  sums: Sums,
  limit: number,
): Promise<Pick<Damaged, 'came' | 'ms' | 'said'>> {
  const began = performance.now()
  // What is not the database's is read by the whole server alone.
  const served = file.startsWith('database/') ? null : await serve(folder, limit)
  const { code, out, err } = served && served.code !== 0 ? served : await read(folder, limit)
  const ms = Math.round(performance.now() - began)
  const said = err.trim()
  if (code === null) return { came: 'hung', ms, said }
  if (code === 0) {
    const differing = compare(sums, JSON.parse(out) as Sums, served !== null)
    return { came: differing.length === 0 ? 'whole' : 'lost', ms, said: differing.join(', ') }
  }
  if (said === '') return { came: 'mute', ms, said: `code ${code}` }
  return { came: code === READING_FAILED ? 'told' : 'refused', ms, said }
}

/** The tables that differ; of a server that has run and written since, those that have fewer rows. */
function compare(before: Sums, after: Sums, isWritten: boolean): string[] {
  const rows = (sum: string | undefined) => Number.parseInt(sum ?? '-1', 10)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((table) =>
    isWritten ? rows(after[table]) < rows(before[table]) : before[table] !== after[table],
  )
}

interface Ended {
  /** Null when the time was over. */
  code: number | null
  out: string
  err: string
}

/** With the flags of `server/start.mjs`. */
const read = (folder: string, limit: number): Promise<Ended> =>
  ended(spawn(process.execPath, ['--liftoff-only', READING, folder], { stdio: ['ignore', 'pipe', 'pipe'] }), limit)

/** Starts the server, and stops it once it runs. */
function serve(folder: string, limit: number): Promise<Ended> {
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', PLATFORM_PORT: '0', SNAPSHOTS: '0', LOG_LEVEL: 'error' }
  const server = spawn(process.execPath, ['server/start.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  server.stdout.on('data', (part: Buffer) => part.includes('sign in') && server.kill('SIGTERM'))
  return ended(server, limit)
}

function ended(child: ChildProcessByStdio<null, Readable, Readable>, limit: number): Promise<Ended> {
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), limit)
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, out, err })
    })
  })
}
