import { useEffect, useState } from 'react'
import type { TextComparison } from './text.ts'

interface Compared {
  before: string
  after: string
  comparison: TextComparison | 'failed'
}

/** The differences of two texts, found by a worker: null until the first are found; those of earlier texts stand, stale, until the new ones are. */
export function useTextComparison(
  before: string,
  after: string,
): { comparison: TextComparison | 'failed' | null; isStale: boolean } {
  const [compared, setCompared] = useState<Compared | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    const tell = (comparison: Compared['comparison']) => {
      setCompared({ before, after, comparison })
      worker.terminate()
    }
    worker.onmessage = ({ data }: MessageEvent<TextComparison>) => tell(data)
    worker.onerror = () => tell('failed')
    worker.postMessage({ before, after })
    return () => worker.terminate()
  }, [before, after])
  const isStale = compared?.before !== before || compared.after !== after
  return { comparison: compared?.comparison ?? null, isStale }
}
