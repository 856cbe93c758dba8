import { startTransition, useEffect, useState } from 'react'
import { BoundedWorker } from './boundedWorker.ts'
import type { ParsedBlock, ParseRequest } from './pipeline/parseBlock.ts'

/** Timeout of a worker for one block, including loading (ms). */
const PARSE_TIMEOUT_MS = 5_000
/** Cached trees, for an answer that leaves a virtualized list and returns. */
const MAX_KEPT = 4

const worker = new BoundedWorker<ParseRequest, ParsedBlock>(
  () => new Worker(new URL('./pipeline/markdownWorker.ts', import.meta.url), { type: 'module' }),
  PARSE_TIMEOUT_MS,
)
const kept: Required<{ request: ParseRequest; parsed: ParsedBlock }>[] = []
const findKept = ({ text, start }: ParseRequest) =>
  kept.find(({ request }) => request.start === start && request.text === text)

/**
 * The tree of a block, parsed by a worker: undefined until it is ready or while it is not wanted; null if the worker
 * times out, fails, or creates more nodes than a page can render.
 */
export function useParsedBlock({ text, start }: ParseRequest, isWanted: boolean): ParsedBlock | undefined {
  const [found, setFound] = useState(() => (isWanted ? findKept({ text, start }) : undefined))
  useEffect(() => {
    const request = { text, start }
    if (!isWanted) return
    const leaving = new AbortController()
    const known = findKept(request)
    void Promise.resolve(known?.parsed ?? worker.ask(request, leaving.signal)).then((parsed) => {
      if (leaving.signal.aborted) return
      if (!known) kept.unshift({ request, parsed })
      kept.length = Math.min(kept.length, MAX_KEPT)
      startTransition(() => setFound({ request, parsed }))
    })
    return () => leaving.abort()
  }, [text, start, isWanted])
  return isWanted && found?.request.text === text && found.request.start === start ? found.parsed : undefined
}
