import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { createPreparedLoupe } from '../checks/kill/consoleClient.ts'

const run = promisify(execFile)

const listEntries = (folder: string): string[] => ['', ...(readdirSync(folder, { recursive: true }) as string[])]
/** Every entry that somebody else may read, write or enter. */
const findOpenEntries = (folder: string) =>
  listEntries(folder).filter((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    // Nobody reaches a socket in a closed folder.
    return stat && !stat.isSocket() && (stat.mode & 0o077) !== 0
  })

describe('a server that listens everywhere, on a folder of an earlier release that everybody may write', () => {
  let loupe: LoupeProcess
  let umask: number
  beforeAll(async () => {
    loupe = await createPreparedLoupe({ HOST: '0.0.0.0', INSECURE_HTTP: '1' })
    mkdirSync(join(loupe.folder, 'snapshots'))
    for (const path of listEntries(loupe.folder).map((name) => join(loupe.folder, name)))
      chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666)
    mkdirSync(join(loupe.folder, 'notes'))
    chmodSync(join(loupe.folder, 'notes'), 0o755)
    // The shell's usual one.
    umask = process.umask(0o022)
    await loupe.start()
  })
  afterAll(async () => {
    process.umask(umask)
    await loupe.remove()
  })

  it('closes it and all that is written into it; what is not its own stays', () => {
    expect(readdirSync(join(loupe.folder, 'secrets'))).toContain('master.key')
    // Nobody else reaches it: the folder around it is closed.
    expect(findOpenEntries(loupe.folder)).toEqual(['notes'])
  })

  it('keeps the built-in platform on the loopback', async () => {
    // Another address of this machine's loopback: what listens on 127.0.0.1 alone does not answer there.
    const fetchFromOtherAddress = (url: string) =>
      fetch(`http://127.0.0.2:${new URL(url).port}/healthz`).then(({ status }) => status)
    expect(await fetchFromOtherAddress(loupe.url)).toBe(200)
    await expect(fetchFromOtherAddress(loupe.platform)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect((await fetch(`http://127.0.0.1:${new URL(loupe.platform).port}/v1/`)).status).toBe(200)
  })

  it('opens no inspector at SIGUSR1, goes on, and leaves nothing open when it stops', async () => {
    process.kill(loupe.pid ?? 0, 'SIGUSR1')
    // The inspector announces itself in a thread of its own; a few replies later it has.
    for (let count = 0; count < 20; count++) expect((await fetch(`${loupe.url}/healthz`)).status).toBe(200)
    expect(await loupe.stop()).toBe(0)
    expect(loupe.output).not.toContain('Debugger')
    expect(findOpenEntries(loupe.folder)).toEqual(['notes'])
  })
})

describe('DATA_DIR', () => {
  let place = ''
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'loupe-at-rest-'))
  })
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  it('that belongs to somebody else and stays open is refused with exit code 78, and nothing is written', async () => {
    const isRoot = process.getuid?.() === 0
    chmodSync(place, 0o777)
    // Who is not root finds a folder of root's that everybody may write.
    const folder = isRoot ? place : '/tmp'
    const start = run(process.execPath, ['server/start.mjs'], {
      env: { ...process.env, HOME: '/', DATA_DIR: folder, DATABASE_URL: '', PORT: '0', PLATFORM: 'off' },
      ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    })
    await expect(start).rejects.toMatchObject({
      code: 78,
      stderr: expect.stringMatching(
        new RegExp(`^Other users of this machine can open ${folder} \\(mode 777, owner 0\\).*EPERM`),
      ) as string,
    })
    if (isRoot) expect(readdirSync(folder)).toEqual([])
  })

  it('is closed beside a PostgreSQL server too, before a connection is opened', async () => {
    const folder = join(place, 'data')
    mkdirSync(join(folder, 'secrets'), { recursive: true })
    for (const path of [folder, join(folder, 'secrets')]) chmodSync(path, 0o755)
    const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nowhere', PORT: '0' }
    await expect(run(process.execPath, ['server/start.mjs'], { env })).rejects.toMatchObject({ code: 1 })
    expect(findOpenEntries(folder)).toEqual([])
  })
})
