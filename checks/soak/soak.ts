import { setTimeout as wait } from 'node:timers/promises'
import { startUpstream } from '../../bench/streams/streamProcesses.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { addKeys, signIn } from '../kill/consoleClient.ts'
import { type Sample, takeSample } from './sample.ts'
import { runReads, runStreams, type WorkTally } from './workload.ts'

export interface SoakOptions {
  /** Milliseconds, and between two samples. */
  duration_ms: number
  interval_ms: number
  /** Streams at a time, and frames a second of each. */
  streams: number
  rate: number
  /** What the server is started with, beside the defaults. */
  env?: Record<string, string>
  onSample?: (sample: Sample, tally: WorkTally) => void
}

/** Keeps a real Loupe at work and looks at it again and again. The last sample is of a server that has nothing left to do. */
export async function soak({
  duration_ms,
  interval_ms,
  streams,
  rate,
  env = {},
  onSample,
}: SoakOptions): Promise<{ samples: Sample[]; idle: Sample; tally: WorkTally }> {
  const upstream = await startUpstream()
  const loupe = await new LoupeProcess({ PLATFORM: 'off', ...env }).start()
  const stop = new AbortController()
  const tally: WorkTally = { streams: 0, frames: 0, leftStreams: 0, requests: 0, problems: [] }
  try {
    const { cookie, send, sendRaw } = await signIn(loupe)
    const { chat: key } = await addKeys(send, `${upstream.url}/v1`, ['chat'])
    const soaked = { url: loupe.url, cookie, send, sendRaw, key, rate, tally, signal: stop.signal }
    const work = Promise.all([runReads(soaked), ...Array.from({ length: streams }, () => runStreams(soaked))])
    const samples: Sample[] = []
    const began = performance.now()
    const sample = () => takeSample(loupe.url, loupe.folder, Math.round(performance.now() - began) / 1000)
    while (performance.now() - began < duration_ms) {
      await wait(interval_ms)
      const taken = await sample()
      samples.push(taken)
      onSample?.(taken, tally)
    }
    stop.abort()
    await work
    let idle = await sample()
    for (; idle.runs > 0; idle = await sample()) await wait(interval_ms)
    return { samples, idle, tally }
  } finally {
    stop.abort()
    await loupe.remove()
    upstream.stop()
  }
}
