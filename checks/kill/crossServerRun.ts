import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Run } from '#contract/console/runs.ts'
import { readConsoleStream, readTexts } from './browserClient.ts'
import type { ServerGroup } from './serverGroup.ts'

/** A run that was posted to two servers concurrently and watched on others, and what was shown of it. */
export interface CrossServerRun {
  id: string
  name: string
  /** Time of the request, in milliseconds of `performance.now()`. */
  startedAt: number
  /** Blocks by their numbers, in the order of arrival. */
  shownFrames: Map<number, string>
  /** Whether a server has confirmed the run. */
  isAccepted: boolean
  /** Number of streams that replaced a broken one. */
  resumeCount: number
  end: Run['status'] | null
  endedAt: number
  /** Duplicate or out-of-order frames. */
  problems: string[]
  done: Promise<void>
}

const RUN_KINDS = [
  { kind: 'chat', path: 'chat-messages' },
  { kind: 'completion', path: 'completion-messages' },
  { kind: 'workflow', path: 'workflows/run' },
] as const
export type RunKind = (typeof RUN_KINDS)[number]['kind']
const RETRY_DELAY_MS = 30
/** Timeout of a run in ms. */
const RUN_TIMEOUT_MS = 60_000

/** Posts a run under one id to two servers in the same moment, and watches it to its end on whichever others are up. */
export function startCrossServerRun(
  serverGroup: ServerGroup,
  keys: Record<RunKind, string>,
  name: string,
  index: number,
): CrossServerRun {
  const crossServerRun: CrossServerRun = {
    id: randomUUID(),
    name,
    startedAt: performance.now(),
    shownFrames: new Map(),
    isAccepted: false,
    resumeCount: -1,
    end: null,
    endedAt: 0,
    problems: [],
    done: Promise.resolve(),
  }
  crossServerRun.done = followRun(serverGroup, keys, crossServerRun, index)
  return crossServerRun
}

async function followRun(
  serverGroup: ServerGroup,
  keys: Record<RunKind, string>,
  crossServerRun: CrossServerRun,
  index: number,
): Promise<void> {
  const { kind, path } = RUN_KINDS[index % RUN_KINDS.length] ?? RUN_KINDS[0]
  const one = serverGroup.url()
  const body = {
    inputs: { name: crossServerRun.name },
    user: 'killer',
    response_mode: 'streaming',
    ...(kind === 'chat' ? { query: crossServerRun.name } : {}),
  }
  const postJson = (url: string) =>
    serverGroup
      .fetch(url, 'POST', `/api/keys/${keys[kind]}/${path}`, body, {
        'run-id': crossServerRun.id,
        prefer: 'respond-async',
      })
      .then(({ ok }) => ok)
      .catch(() => false)
  const taken = await Promise.all([postJson(one), postJson(serverGroup.url(one))])
  crossServerRun.isAccepted = taken.includes(true)
  while (!crossServerRun.end && performance.now() - crossServerRun.startedAt < RUN_TIMEOUT_MS) {
    crossServerRun.resumeCount++
    const isThere = await watchRun(serverGroup, crossServerRun).catch(() => true)
    if (!isThere && !crossServerRun.isAccepted) return
    if (!crossServerRun.end) await wait(RETRY_DELAY_MS)
  }
}

/** @returns whether the run exists. */
async function watchRun(serverGroup: ServerGroup, crossServerRun: CrossServerRun): Promise<boolean> {
  const last = Math.max(0, ...crossServerRun.shownFrames.keys())
  const headers = { 'last-event-id': String(last) }
  const response = await serverGroup.fetch(
    serverGroup.url(),
    'GET',
    `/api/runs/${crossServerRun.id}/events`,
    undefined,
    headers,
  )
  if (response.status === 404) {
    await response.text()
    if (crossServerRun.isAccepted) crossServerRun.problems.push('was accepted and is not there')
    return false
  }
  await readConsoleStream(readTexts(response), {
    frame: (seq, block) => {
      if (seq !== crossServerRun.shownFrames.size + 1)
        crossServerRun.problems.push(`was shown frame ${seq} after ${crossServerRun.shownFrames.size}`)
      crossServerRun.shownFrames.set(seq, block)
    },
    end: (status) => {
      crossServerRun.end = status
      crossServerRun.endedAt = performance.now()
    },
  })
  return true
}
