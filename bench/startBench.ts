import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntilAnswering, freePort, median } from './relayBench.ts'
import type { Figure } from './figure.ts'

/**
 * From the start of the process to a successful `/readyz`: once with a new folder, then five times with the same
 * folder.
 */
export async function runStartBench(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-start-'))
  try {
    const first = await measureStart(folder)
    const again: number[] = []
    for (let round = 0; round < 5; round++) again.push(await measureStart(folder))
    return [
      {
        bench: 'start',
        what: 'to ready, existing folder, median of 5',
        value: median(again),
        unit: 'ms',
        against: 'first start',
        goal: '< 3000 ms',
      },
      { bench: 'start', what: 'to ready, first start', value: first, unit: 'ms' },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureStart(folder: string): Promise<number> {
  const [port, platform] = [await freePort(), await freePort()]
  const began = performance.now()
  const child = spawn(process.execPath, ['server/start.mjs'], {
    env: { ...process.env, DATA_DIR: folder, PORT: String(port), PLATFORM_PORT: String(platform), LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  await waitUntilAnswering(`http://127.0.0.1:${port}/readyz`)
  const took = performance.now() - began
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill()
  })
  return took
}
