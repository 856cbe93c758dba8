import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { waitUntilAnswering, freePort, median } from './relayBench.ts'
import type { Figure } from './figure.ts'

/** Milliseconds that a server has nothing to do before its memory is read. */
const IDLE_MS = 20_000
const BYTES_PER_MIB = 1024 * 1024
const KIB_PER_MIB = 1024
const RESTART_COUNT = 5

/**
 * `npm start` from the command to the page that it serves: as after an install, with nothing built, compiled or stored, and
 * then again. What its processes keep in memory while they are idle. And the server alone: from its start to `/readyz`.
 */
export async function runStartBench(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-start-'))
  try {
    for (const made of ['dist', 'node_modules/.cache/loupe']) rmSync(made, { recursive: true, force: true })
    const first = await measureNpmStart(folder)
    const again: number[] = []
    for (let round = 0; round < RESTART_COUNT; round++) again.push(await measureNpmStart(folder))
    const memory: Figure[] = []
    await measureNpmStart(folder, async (url, npm) => memory.push(...(await measureIdleMemory(url, npm))))
    const alone: number[] = []
    for (let round = 0; round < RESTART_COUNT; round++) alone.push(await measureServerStart(folder))
    const figure = (what: string, value: number, goal: string): Figure => ({
      bench: 'start',
      what,
      value: value / 1000,
      unit: 's',
      goal,
    })
    return [
      figure('`npm start` to ready, first after an install, build included', first, '12 s'),
      figure(`\`npm start\` to ready again, median of ${RESTART_COUNT}`, median(again), '4 s'),
      figure(`server alone, existing data folder, median of ${RESTART_COUNT}`, median(alone), '3 s'),
      ...memory,
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds until it says where it is; the page must be there then. */
async function measureNpmStart(
  folder: string,
  onReady: (url: string, npm: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<number> {
  const began = performance.now()
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, DATA_DIR: folder, PORT: '0', PLATFORM_PORT: '0', SNAPSHOTS: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const part of npm.stdout) if ((printed += String(part)).includes('sign in')) break
  const took = performance.now() - began
  try {
    const url = /^console\s+(\S+)$/m.exec(printed)?.[1] ?? 'nowhere'
    const page = await fetch(url)
    if (!page.ok || !(await page.text()).includes('<script'))
      throw new Error(`npm start serves no page: ${page.status}`)
    await onReady(url, npm.pid ?? 0)
  } finally {
    await stop(npm)
  }
  return took
}

/** The server alone, without npm and without a look at the build. */
async function measureServerStart(folder: string): Promise<number> {
  const [port, platform] = [await freePort(), await freePort()]
  const began = performance.now()
  const child = spawn(process.execPath, ['server/start.mjs'], {
    env: { ...process.env, DATA_DIR: folder, PORT: String(port), PLATFORM_PORT: String(platform), LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  await waitUntilAnswering(`http://127.0.0.1:${port}/readyz`)
  const took = performance.now() - began
  await stop(child)
  return took
}

async function stop(child: ChildProcess): Promise<void> {
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill()
  })
}

/**
 * Of all processes of one `npm start`, each page that several processes share divided between them (PSS). On Linux only.
 * The compressed files are made by then, and the sample documents indexed.
 */
async function measureIdleMemory(url: string, npm: number): Promise<Figure[]> {
  if (process.platform !== 'linux') return []
  await wait(IDLE_MS)
  const processes = listDescendants(npm).map((pid) => ({ name: nameProcess(pid), mib: readPssMib(pid) }))
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const readMetricMib = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN) / BYTES_PER_MIB
  const figure = (what: string, value: number, goal = ''): Figure => ({
    bench: 'start',
    what,
    value,
    unit: 'MiB',
    goal,
  })
  return [
    figure(
      'idle memory, all processes',
      processes.reduce((sum, { mib }) => sum + mib, 0),
      '300 MiB',
    ),
    ...processes.map(({ name, mib }) => figure(`idle memory, ${name}`, mib)),
    figure('of the server: heap of the main thread', readMetricMib('nodejs_heap_size_total_bytes')),
    figure('of the server: buffers of the main thread', readMetricMib('nodejs_external_memory_bytes')),
  ]
}

function listDescendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readParent(Number(name)) === pid)
    .map(Number)
  return [pid, ...children.flatMap(listDescendants)]
}

const readParent = (pid: number): number => Number(readProcFile(pid, 'stat').split(') ').at(-1)?.split(' ')[1])

const readPssMib = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readProcFile(pid, 'smaps_rollup'))?.[1] ?? 0) / KIB_PER_MIB

function nameProcess(pid: number): string {
  const command = readProcFile(pid, 'cmdline').replaceAll('\0', ' ')
  return command.includes('server/start.mjs') && !command.startsWith('sh ') ? 'server' : (command.split(' ')[0] ?? '')
}

/** Empty where the process has ended meanwhile. */
function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
