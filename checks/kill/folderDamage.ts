import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { BrowserClient } from './browserClient.ts'
import { addAppKeys, createPreparedLoupe, signIn } from './consoleClient.ts'
import { answerStreams } from './streamingPlatform.ts'
import { EXIT_READ_FAILED, type TableChecksums } from './tableChecksums.ts'

const DAMAGE_KINDS = ['deleted', 'cut', 'flipped'] as const
type DamageKind = (typeof DAMAGE_KINDS)[number]

/** Result of a start on a damaged folder. */
export interface DamageResult {
  /** The file, by its path in `DATA_DIR`. */
  file: string
  damageKind: DamageKind
  /** Whether the server had been killed before, so that nothing says how the folder was left. */
  isKilled: boolean
  /**
   * `whole`: it started with each row. `refused`: it stopped with an exit code and words. `told`: it started, and said that
   * a page is damaged when that was read. Else it is a fault: `lost` rows without a word, `mute`, or `hung`.
   */
  outcome: 'whole' | 'refused' | 'told' | 'lost' | 'mute' | 'hung'
  ms: number
  said: string
}
export const isFault = ({ outcome }: DamageResult): boolean => ['lost', 'mute', 'hung'].includes(outcome)

/** Milliseconds in which a start has to have come to something, on a machine that has nothing else to do. */
const START_TIMEOUT_MS = 20_000
/** Frames that are sealed leave their table: from the first runs of the folder they do, and later not before its tables are compared. */
const SEAL_ENV = { SEAL_AFTER_SECONDS: '2' }
const KEEP_TABLES_ENV = { SEAL_AFTER_SECONDS: '3600' }
/** Milliseconds after which frames of ended runs are sealed surely. */
const SEAL_WAIT_MS = 10_000
const READ_TABLES_SCRIPT = new URL('./printTableChecksums.ts', import.meta.url).pathname

/**
 * Deletes, halves or flips a byte of one file after another in copies of a small `DATA_DIR`, starts on each, and
 * compares every table. Half of the images are of a server that was stopped, half of one that was killed. `images` is
 * their number, distributed evenly over all files, of which the first `after` are skipped; `timeoutFactor` multiplies
 * the limit.
 */
export async function damageFolders({
  images,
  after = 0,
  timeoutFactor = 1,
  onCycle,
}: {
  images: number
  after?: number
  timeoutFactor?: number
  onCycle?: (result: DamageResult) => void
}): Promise<DamageResult[]> {
  const originals = await makeOriginals()
  const workFolder = mkdtempSync(join(tmpdir(), 'loupe-damage-'))
  const all: DamageResult[] = []
  try {
    const cases = originals.flatMap((original) =>
      listFiles(original.folder).flatMap((file) =>
        listDamageKinds(join(original.folder, file)).map((damageKind) => ({ ...original, file, damageKind })),
      ),
    )
    for (const { folder, isKilled, sums, file, damageKind } of chooseFiles(cases, images).slice(after)) {
      const image = join(workFolder, 'image')
      rmSync(image, { recursive: true, force: true })
      cpSync(folder, image, { recursive: true })
      damageFile(join(image, file), damageKind)
      const outcome = await startOnDamaged(image, file, sums, START_TIMEOUT_MS * timeoutFactor)
      const result = { file, damageKind, isKilled, ...outcome }
      onCycle?.(result)
      all.push(result)
    }
    return all
  } finally {
    for (const folder of [workFolder, ...originals.map((one) => one.folder)])
      rmSync(folder, { recursive: true, force: true })
  }
}

interface Original {
  folder: string
  isKilled: boolean
  sums: TableChecksums
}

/** The folder of a Loupe that has run a few things: as it is left when it is stopped, and when it is killed. */
async function makeOriginals(): Promise<Original[]> {
  const platform = await ScriptedPlatform.start()
  platform.script = answerStreams
  const loupe = await createPreparedLoupe(SEAL_ENV)
  const originals: Original[] = []
  const copyFolder = async (isKilled: boolean) => {
    const [folder, copy] = ['loupe-original-', 'loupe-copy-'].map((name) => mkdtempSync(join(tmpdir(), name))) as [
      string,
      string,
    ]
    for (const target of [folder, copy]) cpSync(loupe.folder, target, { recursive: true })
    const { code, out, err } = await readTablesOf(copy, START_TIMEOUT_MS * 10)
    rmSync(copy, { recursive: true })
    if (code !== 0) throw new Error(`What is not damaged does not open: ${err}`)
    const sums = JSON.parse(out) as TableChecksums
    for (const table of ['public.frames', 'public.frame_chunks'])
      if (countRows(sums[table]) < 1) throw new Error(`The folder has nothing in ${table}.`)
    originals.push({ folder, isKilled, sums })
  }
  try {
    await loupe.start()
    const { cookie, send } = await signIn(loupe)
    const keys = await addAppKeys(send, platform.url)
    const browser = await BrowserClient.open(loupe.url, cookie, keys)
    for (const name of ['sealed', 'unsealed']) {
      const runs = browser.startRuns(name, 6)
      while (runs.some(({ end }) => !end)) await wait(50)
      if (name === 'sealed') await wait(SEAL_WAIT_MS)
    }
    await loupe.kill()
    await copyFolder(true)
    await loupe.start()
    await loupe.stop()
    await copyFolder(false)
    return originals
  } finally {
    await loupe.remove()
    await platform.close()
  }
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** An empty file cannot be halved or flipped. */
const listDamageKinds = (path: string): readonly DamageKind[] =>
  statSync(path).size === 0 ? ['deleted'] : DAMAGE_KINDS

/** The files beside the database all, of those in it evenly so many, and of PostgreSQL's templates, which hold no row, few. */
function chooseFiles<T extends { file: string }>(all: readonly T[], count: number): T[] {
  const isTemplate = ({ file }: T) => /^database\/base\/[14]\//.test(file)
  const beside = all.filter(({ file }) => !file.startsWith('database/'))
  const inside = all.filter((one) => !beside.includes(one) && !isTemplate(one))
  const room = Math.max(count - beside.length, Math.ceil(count * 0.75))
  return [
    ...chooseEvenly(beside, count - room),
    ...chooseEvenly(inside, Math.ceil(room * 0.9)),
    ...chooseEvenly(all.filter(isTemplate), Math.floor(room * 0.1)),
  ]
}

function chooseEvenly<T>(all: readonly T[], count: number): T[] {
  if (count >= all.length) return [...all]
  const step = all.length / count
  const first = Math.random() * step
  return Array.from({ length: count }, (_, index) => all[Math.floor(first + index * step)]).filter(
    (one) => one !== undefined,
  )
}

function damageFile(path: string, kind: DamageKind): void {
  if (kind === 'deleted') return rmSync(path)
  if (kind === 'cut') return truncateSync(path, Math.floor(statSync(path).size / 2))
  const bytes = readFileSync(path)
  const at = Math.floor(Math.random() * bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
  writeFileSync(path, bytes)
}

async function startOnDamaged(
  folder: string,
  file: string,
  sums: TableChecksums,
  limit: number,
): Promise<Pick<DamageResult, 'outcome' | 'ms' | 'said'>> {
  const began = performance.now()
  // Only the whole server reads files outside the database.
  const served = file.startsWith('database/') ? null : await startServer(folder, limit)
  const { code, out, err } = served && served.code !== 0 ? served : await readTablesOf(folder, limit)
  const ms = Math.round(performance.now() - began)
  const said = err.trim()
  if (code === null) return { outcome: 'hung', ms, said }
  if (code === 0) {
    const differing = findDifferentTables(sums, JSON.parse(out) as TableChecksums, served !== null)
    return { outcome: differing.length === 0 ? 'whole' : 'lost', ms, said: differing.join(', ') }
  }
  if (said === '') return { outcome: 'mute', ms, said: `code ${code}` }
  return { outcome: code === EXIT_READ_FAILED ? 'told' : 'refused', ms, said }
}

/** The tables that differ; of a server that has run and written since, those with fewer rows. */
function findDifferentTables(before: TableChecksums, after: TableChecksums, isWritten: boolean): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((table) =>
    isWritten ? countRows(after[table]) < countRows(before[table]) : before[table] !== after[table],
  )
}

const countRows = (sum: string | undefined): number => Number.parseInt(sum ?? '-1', 10)

interface ProcessResult {
  /** Null on timeout. */
  code: number | null
  out: string
  err: string
}

/** With the flags of `server/start.mjs`. */
const readTablesOf = (folder: string, limit: number): Promise<ProcessResult> =>
  runUntilExit(['--liftoff-only', READ_TABLES_SCRIPT, folder], limit)

/** Starts the server, and stops it once it runs. */
function startServer(folder: string, limit: number): Promise<ProcessResult> {
  const ports = { PORT: '0', PLATFORM_PORT: '0' }
  const env = { ...KEEP_TABLES_ENV, ...ports, DATA_DIR: folder, SNAPSHOTS: '0', LOG_LEVEL: 'error' }
  return runUntilExit(['server/start.mjs'], limit, env, 'sign in')
}

/** Runs a Node process to its end, which SIGTERM brings when it has printed `stopText`, or SIGKILL after `limit` milliseconds. */
function runUntilExit(args: string[], limit: number, env = {}, stopText?: string): Promise<ProcessResult> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limit,
    killSignal: 'SIGKILL',
  })
  let [out, err] = ['', '']
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString()
    if (stopText !== undefined && part.includes(stopText)) child.kill('SIGTERM')
  })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, out, err }))
  })
}
