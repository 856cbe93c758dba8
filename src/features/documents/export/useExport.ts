import { useEffect, useRef, useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { type Format, headOf, type Row, writeRow } from './format.ts'
import { openSink } from '../../../ui/sink.ts'
import { type Order, rowsOf } from './source.ts'

export interface Progress {
  state: 'idle' | 'running' | 'done' | 'cancelled' | 'failed'
  count: Record<Row['kind'], number>
  bytes: number
  problem: Problem | null
}
const NOTHING: Progress = {
  state: 'idle',
  count: { document: 0, segment: 0, child_chunk: 0 },
  bytes: 0,
  problem: null,
}
const TYPES = { jsonl: 'application/jsonl', csv: 'text/csv', md: 'text/markdown' }
/** The screen is told this often. Milliseconds. */
const TELL_EVERY = 100

/** Writes an export to a file while it is read, with its progress; it can be cancelled at any row. */
export function useExport() {
  const [progress, setProgress] = useState(NOTHING)
  const aborter = useRef<AbortController | null>(null)
  useEffect(() => () => aborter.current?.abort(), [])

  const run = async (order: Order, format: Format, name: string): Promise<void> => {
    const own = new AbortController()
    const sink = await openSink(`${name}.${format}`, TYPES[format]).catch(() => null)
    if (!sink) return
    aborter.current = own
    const count = { ...NOTHING.count }
    let bytes = 0
    let told = 0
    const tell = (state: Progress['state'], problem: Problem | null = null) =>
      setProgress({ state, count: { ...count }, bytes, problem })
    tell('running')
    try {
      await sink.write(headOf(format))
      for await (const row of rowsOf(order, own.signal)) {
        own.signal.throwIfAborted()
        const text = writeRow(format, row)
        await sink.write(text)
        count[row.kind]++
        bytes += text.length
        if (performance.now() - told < TELL_EVERY) continue
        told = performance.now()
        tell('running')
      }
      await sink.close()
      tell('done')
    } catch (error) {
      await sink.abort().catch(() => undefined)
      if (own.signal.aborted) tell('cancelled')
      else tell('failed', error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) })
    }
  }
  return { progress, run, cancel: () => aborter.current?.abort() }
}
