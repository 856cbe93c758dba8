import { useEffect, useState } from 'react'
import type { TextComparison } from './compareTexts.ts'

interface ComparisonState {
  before: string
  after: string
  comparison: TextComparison | 'failed'
}

/**
 * The diff of two texts, computed by a worker: null before the first result; an earlier result stays, marked stale,
 * until the new one arrives.
 */
export function useTextComparison(
  before: string,
  after: string,
): { comparison: TextComparison | 'failed' | null; isStale: boolean } {
  const [comparisonState, setComparisonState] = useState<ComparisonState | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL('./textDiffWorker.ts', import.meta.url), { type: 'module' })
    const onMessage = (comparison: ComparisonState['comparison']) => {
      setComparisonState({ before, after, comparison })
      worker.terminate()
    }
    worker.onmessage = ({ data }: MessageEvent<TextComparison>) => onMessage(data)
    worker.onerror = () => onMessage('failed')
    worker.postMessage({ before, after })
    return () => worker.terminate()
  }, [before, after])
  const isStale = comparisonState?.before !== before || comparisonState.after !== after
  return { comparison: comparisonState?.comparison ?? null, isStale }
}
