import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { CallOptions } from '../../wire/call.ts'
import { refresh } from '../../wire/query.ts'
import { type Complaint, complaintOf } from './files.ts'

/** One file on its way. `held`: something is likely to be refused, so it waits for a word. */
export interface Upload {
  id: number
  file: File
  state: 'held' | 'ready' | 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
  complaint: Complaint | null
  sent: number
  total: number
  problem: Problem | null
}

export interface Uploads {
  uploads: readonly Upload[]
  add: (files: readonly File[]) => void
  remove: (id: number) => void
  /** Sends what is ready; a file that was held only if it is named. */
  start: (id?: number) => void
  cancel: (id: number) => void
  isBusy: boolean
}

const AT_ONCE = 2

/** Sends files one by one or two at once, each with its own state; a failure of one is no other's. */
export function useUploads(
  entry: Endpoint,
  send: (file: File, options: Required<Pick<CallOptions, 'signal' | 'onProgress'>>) => Promise<unknown>,
  { isSingle = false, onDone }: { isSingle?: boolean; onDone?: () => void } = {},
): Uploads {
  const client = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const aborters = useRef(new Map<number, AbortController>())
  const next = useRef(1)
  const change = useCallback(
    (id: number, values: Partial<Upload>) =>
      setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...values } : one))),
    [],
  )
  useEffect(() => {
    const all = aborters.current
    return () => all.forEach((aborter) => aborter.abort())
  }, [])

  const run = async ({ id, file }: Upload): Promise<void> => {
    const aborter = new AbortController()
    aborters.current.set(id, aborter)
    change(id, { state: 'sending', sent: 0, problem: null })
    try {
      await send(file, { signal: aborter.signal, onProgress: (progress) => change(id, progress) })
      change(id, { state: 'done' })
      onDone?.()
    } catch (error) {
      if (aborter.signal.aborted) change(id, { state: 'cancelled' })
      else
        change(id, {
          state: 'failed',
          problem: error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) },
        })
    } finally {
      aborters.current.delete(id)
      void refresh(client, [...entry.touches, 'calls'])
    }
  }
  /** As many lines as are allowed at once, each taking the next file when it is through with one. */
  const queue = useRef<Upload[]>([])
  const lines = useRef(0)
  const work = async (): Promise<void> => {
    if (lines.current >= AT_ONCE) return
    lines.current++
    for (let upload = queue.current.shift(); upload; upload = queue.current.shift()) await run(upload)
    lines.current--
  }
  const start = (id?: number) => {
    const chosen = uploads.filter((one) => (id === undefined ? one.state === 'ready' : one.id === id))
    queue.current.push(...chosen)
    setUploads((all) =>
      all.map((one) => (chosen.some((each) => each.id === one.id) ? { ...one, state: 'waiting' } : one)),
    )
    for (let line = 0; line < AT_ONCE; line++) void work()
  }
  return {
    uploads,
    add: (files) => {
      const fresh = files.map((file) => {
        const complaint = complaintOf(file)
        const state = complaint ? ('held' as const) : ('ready' as const)
        return { id: next.current++, file, state, complaint, sent: 0, total: file.size, problem: null }
      })
      setUploads((all) => (isSingle ? fresh.slice(-1) : [...all, ...fresh]))
    },
    remove: (id) => setUploads((all) => all.filter((one) => one.id !== id)),
    start,
    cancel: (id) => {
      queue.current = queue.current.filter((one) => one.id !== id)
      const aborter = aborters.current.get(id)
      if (aborter) aborter.abort()
      else change(id, { state: 'cancelled' })
    },
    isBusy: uploads.some(({ state }) => state === 'sending' || state === 'waiting'),
  }
}
