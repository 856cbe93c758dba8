import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { DocumentRecord } from '#contract/records.ts'
import { keepDraft, readDraft } from '../fields/draft.ts'
import { measure, type Pace, usualOf } from './pace.ts'
import { look, nothingWatched, type Watch } from './steps.ts'

export interface Watching {
  watch: Watch
  /** The usual time of a whole indexing, in milliseconds; null before the first measure. */
  usual: number | null
}

/**
 * What is seen of documents on their way, kept in the tab under `name` so that a reload does not forget since when. Whole
 * indexings are measured for all tabs: their median is the usual time.
 */
export function useWatch(name: string, documents: readonly DocumentRecord[], at: number): Watching {
  const [watch, setWatch] = useState(() => unfinished(readDraft<Watch>(sessionStorage, name)))
  const [pace, setPace] = useLocalStorage<Pace>({
    key: 'loupe-indexing-pace',
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const looked = look(watch, documents, at)
  if (looked !== watch) setWatch(looked)
  useEffect(() => {
    keepDraft(sessionStorage, name, looked)
    const measured = measure(pace, looked)
    if (measured !== pace) setPace(measured)
  }, [name, looked, pace, setPace])
  return { watch: looked, usual: usualOf(pace) }
}

/** What was finished before has been seen. */
const unfinished = (kept: Partial<Watch> | null): Watch => ({
  ...nothingWatched,
  documents: kept?.documents?.filter(({ status }) => status !== 'completed') ?? [],
})
