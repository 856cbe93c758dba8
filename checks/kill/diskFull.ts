import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import { mountMemory, unmount } from '#support/memoryMounts.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { fillTestFolder } from '../../server/db/embedded/folder.testing.ts'
import { BrowserClient, toRunBody } from './browserClient.ts'
import { addAppKeys, pollUntil, signIn } from './consoleClient.ts'
import { inspectRuns, type RunInspection } from './killStreams.ts'
import { streamForever } from './streamingPlatform.ts'

const BYTES_PER_MIB = 1024 * 1024

export interface DiskFullResult extends Omit<RunInspection, 'settled_ms'> {
  /** MiB: the disk, and what was left on it when it had been filled. */
  size: number
  left: number
  /** Statuses of new work, and of reading, exporting, signing in and deleting, while the disk was full. */
  posted: number
  worked: number[]
  /** Milliseconds from the freed space until new work was accepted again. */
  back_ms: number
}

const RECOVERY_TIMEOUT_MS = 30_000
/** Milliseconds for which a disk stays full after all requests. */
const FULL_DISK_MS = 5_000

/**
 * Fills the disk of a real Loupe while it reads streams, down to `left` MiB, and then makes room. `left` under the floor and
 * with some room for the streams; or 0, when whoever fills it takes every byte.
 */
export async function fillDisk({
  size,
  left,
  streams,
  fullMs = FULL_DISK_MS,
}: {
  size: number
  left: number
  streams: number
  fullMs?: number
}): Promise<DiskFullResult> {
  const platform = await ScriptedPlatform.start()
  const loupe = new LoupeProcess({ PLATFORM: 'off' })
  mountMemory(loupe.folder, size)
  try {
    await fillTestFolder(loupe.folder)
    await loupe.start()
    const { cookie, send } = await signIn(loupe)
    const keys = await addAppKeys(send, platform.url)
    const fallSilent = streamForever(platform, 50)
    const ask = async (method: string, path: string, body?: unknown): Promise<number> => {
      const response = await fetch(loupe.url + path, {
        method,
        headers: { cookie, 'x-console': '1', ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(RECOVERY_TIMEOUT_MS),
      })
      await response.body?.cancel()
      return response.status
    }
    const work = () => ask('POST', `/api/keys/${keys.chat}/chat-messages`, toRunBody('more')).catch(() => 0)
    const workUntil = (status: number, timeoutMs: number) =>
      pollUntil(work, (given) => given === status, { intervalMs: 500, timeoutMs })
    const made = { name: 'Doomed', base_url: platform.url }
    const { id: doomed } = await send<{ id: string }>('POST', '/api/workspaces', made)
    const browser = await BrowserClient.open(loupe.url, cookie, keys)
    const runs = browser.startRuns('full', streams, 3)
    while (runs.some(({ shownFrames }) => shownFrames.size < 10)) await wait(50)

    const filler = fillDown(loupe.folder, left)
    const posted = await workUntil(507, RECOVERY_TIMEOUT_MS)
    const worked = [
      await ask('GET', '/api/runs?limit=5'),
      await ask('GET', `/api/runs/${runs[0]?.id}/frames?limit=5`),
      await ask('POST', '/api/session', { token: SETUP_TOKEN }),
      await ask('DELETE', `/api/workspaces/${doomed}`),
    ]
    await wait(fullMs)
    rmSync(filler)

    const freedAt = performance.now()
    await workUntil(200, 2 * RECOVERY_TIMEOUT_MS)
    const back_ms = Math.round(performance.now() - freedAt)
    fallSilent()
    const { shown, ends, problems } = await inspectRuns(send, runs, platform)
    if (back_ms > RECOVERY_TIMEOUT_MS)
      problems.push(`it took no new work ${RECOVERY_TIMEOUT_MS} ms after there was room`)
    // What is in the table now is there after a kill, too.
    await loupe.kill()
    await loupe.start()
    problems.push(...(await inspectRuns(send, runs, platform)).problems)
    return { size, left, posted, worked, back_ms, shown, ends, problems: [...new Set(problems)] }
  } finally {
    await loupe.stop()
    unmount(loupe.folder)
    await loupe.remove()
    await platform.close()
  }
}

/** @returns the file that fills the disk. */
function fillDown(folder: string, leftMib: number): string {
  const path = join(folder, 'filler')
  const file = openSync(path, 'w')
  const part = Buffer.alloc(BYTES_PER_MIB / 4)
  try {
    for (let disk = statfsSync(folder); disk.bavail * disk.bsize > leftMib * BYTES_PER_MIB; disk = statfsSync(folder))
      writeSync(file, part)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return path
}
