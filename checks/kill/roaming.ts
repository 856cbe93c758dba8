import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Run } from '#contract/runs.ts'
import { readShown } from './browser.ts'
import type { Crowd } from './crowd.ts'

/** A run that was posted to two servers at once and watched on others, and what was shown of it. */
export interface Roamed {
  id: string
  name: string
  /** When it was asked for, in milliseconds of `performance.now()`. */
  asked: number
  /** Blocks by their numbers, in the order in which they came. */
  shown: Map<number, string>
  /** Whether a server has said that it has the run. */
  isAccepted: boolean
  /** Streams that were begun because the one before broke. */
  resumed: number
  end: Run['status'] | null
  ended: number
  /** What came twice or out of turn. */
  problems: string[]
  over: Promise<void>
}

const ROUND = [
  { kind: 'chat', path: 'chat-messages' },
  { kind: 'completion', path: 'completion-messages' },
  { kind: 'workflow', path: 'workflows/run' },
] as const
export type Kind = (typeof ROUND)[number]['kind']
const PAUSE = 30
/** Milliseconds after which a run that has not ended is given up. */
const PATIENCE = 60_000

/** Posts a run under one id to two servers in the same moment, and watches it to its end on whichever others are up. */
export function roam(crowd: Crowd, keys: Record<Kind, string>, name: string, index: number): Roamed {
  const roamed: Roamed = {
    id: randomUUID(),
    name,
    asked: performance.now(),
    shown: new Map(),
    isAccepted: false,
    resumed: -1,
    end: null,
    ended: 0,
    problems: [],
    over: Promise.resolve(),
  }
  roamed.over = carry(crowd, keys, roamed, index)
  return roamed
}

async function carry(crowd: Crowd, keys: Record<Kind, string>, roamed: Roamed, index: number): Promise<void> {
  const { kind, path } = ROUND[index % ROUND.length] ?? ROUND[0]
  const one = crowd.url()
  const body = {
    inputs: { name: roamed.name },
    user: 'killer',
    response_mode: 'streaming',
    ...(kind === 'chat' ? { query: roamed.name } : {}),
  }
  const post = (url: string) =>
    crowd
      .ask(url, 'POST', `/api/keys/${keys[kind]}/${path}`, body, { 'run-id': roamed.id, prefer: 'respond-async' })
      .then(({ ok }) => ok)
      .catch(() => false)
  const taken = await Promise.all([post(one), post(crowd.url(one))])
  roamed.isAccepted = taken.includes(true)
  while (!roamed.end && performance.now() - roamed.asked < PATIENCE) {
    roamed.resumed++
    const isThere = await watch(crowd, roamed).catch(() => true)
    if (!isThere && !roamed.isAccepted) return
    if (!roamed.end) await wait(PAUSE)
  }
}

/** @returns whether there is such a run. */
async function watch(crowd: Crowd, roamed: Roamed): Promise<boolean> {
  const last = Math.max(0, ...roamed.shown.keys())
  const headers = { 'last-event-id': String(last) }
  const response = await crowd.ask(crowd.url(), 'GET', `/api/runs/${roamed.id}/events`, undefined, headers)
  if (response.status === 404) {
    await response.text()
    if (roamed.isAccepted) roamed.problems.push('was accepted and is not there')
    return false
  }
  await readShown(response, {
    frame: (seq, block) => {
      if (seq !== roamed.shown.size + 1) roamed.problems.push(`was shown frame ${seq} after ${roamed.shown.size}`)
      roamed.shown.set(seq, block)
    },
    end: (status) => {
      roamed.end = status
      roamed.ended = performance.now()
    },
  })
  return true
}
