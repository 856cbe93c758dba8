import { useEffect, useState } from 'react'
import type { TextComparison } from './text.ts'

interface Compared {
  before: string
  after: string
  comparison: TextComparison | 'failed'
}

/** The differences of two texts, by a worker; null while they are looked for. */
export function useTextComparison(before: string, after: string): TextComparison | 'failed' | null {
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
  return compared && compared.before === before && compared.after === after ? compared.comparison : null
}
