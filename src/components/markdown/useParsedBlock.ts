import { startTransition, useEffect, useState } from 'react'
import { BoundedWorker } from './boundedWorker.ts'
import type { ParsedBlock, ParseRequest } from './pipeline/parseBlock.ts'

/** Milliseconds that a worker may take for a block, loading included. */
const PARSE_TIMEOUT_MS = 5_000
/** Blocks whose trees are kept, for an answer that leaves a long list and comes back. */
const MAX_KEPT = 4

const worker = new BoundedWorker<ParseRequest, ParsedBlock>(
  () => new Worker(new URL('./pipeline/markdownWorker.ts', import.meta.url), { type: 'module' }),
  PARSE_TIMEOUT_MS,
)
const kept: Required<{ request: ParseRequest; parsed: ParsedBlock }>[] = []
const findKept = ({ text, start }: ParseRequest) =>
  kept.find(({ request }) => request.start === start && request.text === text)

/**
 * The tree of a block, parsed by a worker: undefined until it is there or nobody wants it, null where the worker does not
 * get done in time, fails, or makes more of it than a page can draw.
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
