import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { saveFormDraft, readFormDraft } from '../../../components/forms/formDraftStorage.ts'
import {
  measureIndexing,
  type IndexingDurations,
  getUsualDuration,
  observeDocuments,
  emptyWatch,
  type IndexingWatch,
} from './indexingWatch.ts'

export interface IndexingObservation {
  watch: IndexingWatch
  /** The usual time of a whole indexing, in milliseconds; null before the first measure. */
  usualDurationMs: number | null
}

/**
 * The observed indexing progress, in session storage under `name` to survive a reload. Completed durations are shared
 * by all tabs: their median is the usual time.
 */
export function useIndexingWatch(name: string, documents: readonly DocumentRecord[], at: number): IndexingObservation {
  const [watch, setWatch] = useState(() => keepUnfinished(readFormDraft<IndexingWatch>(sessionStorage, name)))
  const [durations, setDurations] = useLocalStorage<IndexingDurations>({
    key: 'loupe-indexing-pace',
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const observed = observeDocuments(watch, documents, at)
  if (observed !== watch) setWatch(observed)
  useEffect(() => {
    saveFormDraft(sessionStorage, name, observed)
    const measured = measureIndexing(durations, observed)
    if (measured !== durations) setDurations(measured)
  }, [name, observed, durations, setDurations])
  return { watch: observed, usualDurationMs: getUsualDuration(durations) }
}

/** What was finished before has been seen. */
const keepUnfinished = (kept: Partial<IndexingWatch> | null): IndexingWatch => ({
  ...emptyWatch,
  documents: kept?.documents?.filter(({ status }) => status !== 'completed') ?? [],
})
