import { closeSync, cpSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ScriptedPlatform } from '../../e2e/faults/platform.ts'
import { Loupe, SETUP_TOKEN } from '../../e2e/loupe.ts'
import { mountMemory, unmount } from '../../e2e/mounts.ts'
import { newFolder } from '../../server/database/folder.testing.ts'
import { Browser } from './browser.ts'
import { addApps, signIn } from './console.ts'
import { look, type Looked } from './streams.ts'
import { talkOn } from './upstream.ts'

const MIB = 1024 * 1024

export interface Filled extends Omit<Looked, 'settled_ms'> {
  /** MiB: the disk, and what was left on it when it had been filled. */
  size: number
  left: number
  /** What new work, and reading, exporting, signing in and deleting, answered while it was full. */
  posted: number
  worked: number[]
  /** Milliseconds from when there was room until new work was taken again. */
  back_ms: number
}

/** Milliseconds by which it must go on by itself. */
const BACK = 30_000
/** Milliseconds for which a disk is full. */
const FULL = 5_000

/**
 * Fills the disk of a real Loupe while it reads streams, down to `left` MiB, and then makes room. `left` under the floor and
 * with some room for the streams; or 0, when whoever fills it takes every byte.
 */
export async function fillDisk({
  size,
  left,
  streams,
}: {
  size: number
  left: number
  streams: number
}): Promise<Filled> {
  const platform = await ScriptedPlatform.start()
  const loupe = new Loupe({ PLATFORM: 'off' })
  mountMemory(loupe.folder, size)
  try {
    cpSync(await newFolder(), loupe.folder, { recursive: true })
    await loupe.start()
    const { cookie, send } = await signIn(loupe)
    const keys = await addApps(send, platform.url)
    const fallSilent = talkOn(platform, 50)
    const ask = (method: string, path: string, body?: unknown) =>
      fetch(loupe.url + path, {
        method,
        headers: { cookie, 'x-console': '1', ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(BACK),
      })
    const work = () =>
      ask('POST', `/api/keys/${keys.chat}/chat-messages`, { query: 'More?', user: 'filler', inputs: { name: 'more' } })
        .then(async (response) => {
          await response.body?.cancel()
          return response.status
        })
        .catch(() => 0)
    const { id: doomed } = await send<{ id: string }>('POST', '/api/workspaces', {
      name: 'Doomed',
      base_url: platform.url,
    })
    const browser = await Browser.open(loupe.url, cookie, keys)
    const asked = browser.askMany('full', streams, 3)
    while (asked.some(({ shown }) => shown.size < 10)) await wait(50)

    const filler = fill(loupe.folder, left)
    let posted = await work()
    for (const began = performance.now(); posted !== 507 && performance.now() - began < BACK; posted = await work())
      await wait(500)
    const worked: number[] = []
    for (const [method, path, body] of [
      ['GET', '/api/runs?limit=5', undefined],
      ['GET', `/api/runs/${asked[0]?.id}/frames?limit=5`, undefined],
      ['POST', '/api/session', { token: SETUP_TOKEN }],
      ['DELETE', `/api/workspaces/${doomed}`, undefined],
    ] as const)
      worked.push((await ask(method, path, body)).status)
    await wait(FULL)
    rmSync(filler)

    const began = performance.now()
    while ((await work()) !== 200 && performance.now() - began < 2 * BACK) await wait(500)
    const back_ms = Math.round(performance.now() - began)
    fallSilent()
    const { shown, ends, problems } = await look(send, asked, platform)
    if (back_ms > BACK) problems.push(`it took no new work ${BACK} ms after there was room`)
    // What is in the table now is there after a kill, too.
    await loupe.kill()
    await loupe.start()
    problems.push(...(await look(send, asked, platform)).problems)
    return { size, left, posted, worked, back_ms, shown, ends, problems: [...new Set(problems)] }
  } finally {
    await loupe.stop()
    unmount(loupe.folder)
    await loupe.remove()
    await platform.close()
  }
}

/** @returns the file that takes the room. */
function fill(folder: string, left: number): string {
  const path = join(folder, 'filler')
  const file = openSync(path, 'w')
  const part = Buffer.alloc(MIB / 4)
  try {
    for (let disk = statfsSync(folder); disk.bavail * disk.bsize > left * MIB; disk = statfsSync(folder))
      writeSync(file, part)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return path
}
