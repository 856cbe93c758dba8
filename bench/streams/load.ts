import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { median, percentile } from '../figures.ts'

/** Streams that are open at once, each of so many frames, so many a second; they are opened within `rampMs`. */
export interface Load {
  url: string
  headers: Record<string, string>
  streams: number
  frames: number
  framesPerSecond: number
  rampMs: number
  timeoutMs: number
  /** The process whose memory and CPU are measured, with its descendants. */
  pid: number | null
}

/** Milliseconds, and of the process microseconds of CPU and sizes. */
export interface LoadResult {
  complete: number
  streamsPerSecond: number
  firstFrameP50: number
  delayP50: number
  delayP99: number
  maxRssMib: number
  kibPerStream: number
  cpuPerFrame: number
  /** How often which stream did not end well. */
  errors: Record<string, number>
}

/** `node load.ts JSON`: opens the streams and prints the result. The delay of a frame is from its stamp, which the platform sets. */
const load = JSON.parse(process.argv[2] ?? '') as Load
const STAMP = Buffer.from('"ts":')
const BLOCK_END = Buffer.from('\n\n')
const SAMPLE_INTERVAL_MS = 250
const TICK_MS = 10
/** Frames of the time in which the streams are opened, and of one more second, count for no delay. */
const WARM_UP_US = (load.rampMs + 1000) * 1000

const nowMicroseconds = () => Number(process.hrtime.bigint() / 1000n)
const agent = new Agent({ keepAlive: true, maxSockets: load.streams, scheduling: 'fifo' })
const body = JSON.stringify({
  inputs: { n: load.frames, rate: load.framesPerSecond },
  query: 'bench',
  user: 'bench',
  response_mode: 'streaming',
  conversation_id: '',
})
const [firstFrames, delays, steadyRss]: [number[], number[], number[]] = [[], [], []]
const errors: Record<string, number> = {}
let [open, frameCount, complete] = [0, 0, 0]

const pids = load.pid === null ? [] : listTree(String(load.pid))
const before = sampleProcesses()
let maxRss = before.rss
const timer = setInterval(() => {
  const { rss } = sampleProcesses()
  maxRss = Math.max(maxRss, rss)
  if (open >= load.streams * 0.98) steadyRss.push(rss)
}, SAMPLE_INTERVAL_MS)
const startedAt = nowMicroseconds()
setTimeout(() => report('run timeout'), load.timeoutMs).unref()
const streams = Array.from({ length: load.streams }, async (_, index) => {
  await new Promise((resolve) => setTimeout(resolve, (index * load.rampMs) / load.streams))
  open++
  const problem = await readStream().catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
  open--
  if (problem === null) complete++
  else errors[problem] = (errors[problem] ?? 0) + 1
})
await Promise.all(streams)
report()

/** @returns what is wrong with it, or null */
function readStream(): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const openedAt = nowMicroseconds()
    let rest: Buffer = Buffer.alloc(0)
    let frames = 0
    const headers = { ...load.headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = request(load.url, { method: 'POST', agent, headers }, (response) => {
      response.on('data', (chunk: Buffer) => {
        const now = nowMicroseconds()
        const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
        let start = 0
        for (let end = bytes.indexOf(BLOCK_END); end >= 0; end = bytes.indexOf(BLOCK_END, start)) {
          const block = bytes.subarray(start, end)
          start = end + BLOCK_END.length
          const at = block.indexOf(STAMP)
          if (at < 0) continue
          const stamp = Number.parseInt(block.toString('latin1', at + STAMP.length), 10)
          if (frames++ === 0) firstFrames.push(now - openedAt)
          if (stamp - startedAt >= WARM_UP_US) delays.push(now - stamp)
        }
        rest = bytes.subarray(start)
      })
      response.once('error', reject)
      response.once('end', () => {
        frameCount += frames
        if (response.statusCode !== 200) resolve(`HTTP ${response.statusCode}`)
        else resolve(frames < load.frames ? `${frames} of ${load.frames} frames` : null)
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

function report(problem?: string): void {
  clearInterval(timer)
  const seconds = (nowMicroseconds() - startedAt) / 1e6
  const steady = steadyRss.length > 0 ? median(steadyRss) : maxRss
  if (problem !== undefined) errors[problem] = open
  const result: LoadResult = {
    complete,
    streamsPerSecond: complete / seconds,
    firstFrameP50: median(firstFrames) / 1000,
    delayP50: median(delays) / 1000,
    delayP99: percentile(delays, 99) / 1000,
    maxRssMib: maxRss / 1024,
    kibPerStream: (steady - before.rss) / load.streams,
    cpuPerFrame: ((sampleProcesses().cpuMs - before.cpuMs) * 1000) / Math.max(1, frameCount),
    errors,
  }
  process.stdout.write(JSON.stringify(result), () => process.exit(0))
}

function listTree(root: string): string[] {
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && readStat(pid)[1] === root)
  return [root, ...children.flatMap(listTree)]
}

/** The fields behind the program's name; empty where the process has ended. */
function readStat(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

/** Resident memory in KiB, and CPU since the start of each. */
function sampleProcesses(): { rss: number; cpuMs: number } {
  const sum = { rss: 0, cpuMs: 0 }
  for (const pid of pids) {
    const stat = readStat(pid)
    if (stat.length === 0) continue
    sum.rss += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
    sum.cpuMs += (Number(stat[11]) + Number(stat[12])) * TICK_MS
  }
  return sum
}
