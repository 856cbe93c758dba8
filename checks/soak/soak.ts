import { setTimeout as wait } from 'node:timers/promises'
import { freePort, KEY, startUpstream } from '../../bench/relay.ts'
import { Loupe } from '../../e2e/loupe.ts'
import { signIn } from '../kill/console.ts'
import { type Sample, takeSample } from './sample.ts'
import { readOn, streamOn, type Tally } from './work.ts'

export interface Soaking {
  /** Milliseconds, and between two samples. */
  time: number
  interval: number
  /** Streams at a time, and frames a second of each. */
  streams: number
  rate: number
  /** What the server is started with, beside the defaults. */
  env?: Record<string, string>
  tell?: (sample: Sample, tally: Tally) => void
}

/** Keeps a real Loupe at work and looks at it again and again. The last sample is of a server that has nothing left to do. */
export async function soak({
  time,
  interval,
  streams,
  rate,
  env = {},
  tell,
}: Soaking): Promise<{ samples: Sample[]; idle: Sample; tally: Tally }> {
  const port = await freePort()
  const upstream = await startUpstream(port)
  const loupe = await new Loupe({ PLATFORM: 'off', ...env }).start()
  const stop = new AbortController()
  const tally: Tally = { streams: 0, frames: 0, left: 0, asked: 0, problems: [] }
  try {
    const { cookie, send } = await signIn(loupe)
    const workspace = await send<{ id: string }>('POST', '/api/workspaces', {
      name: 'Soaked',
      base_url: `http://127.0.0.1:${port}/v1`,
    })
    const keys = `/api/workspaces/${workspace.id}/keys`
    const { id: key } = await send<{ id: string }>('POST', keys, { kind: 'chat', label: 'soaked', key: KEY })
    const soaked = { url: loupe.url, cookie, key, rate, tally, signal: stop.signal }
    const work = Promise.all([readOn(soaked), ...Array.from({ length: streams }, () => streamOn(soaked))])
    const samples: Sample[] = []
    const began = performance.now()
    const sample = () => takeSample(loupe.url, loupe.folder, Math.round(performance.now() - began) / 1000)
    while (performance.now() - began < time) {
      await wait(interval)
      const taken = await sample()
      samples.push(taken)
      tell?.(taken, tally)
    }
    stop.abort()
    await work
    let idle = await sample()
    for (; idle.runs > 0; idle = await sample()) await wait(interval)
    return { samples, idle, tally }
  } finally {
    stop.abort()
    await loupe.remove()
    upstream.kill()
  }
}
