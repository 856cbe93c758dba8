import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { InputField } from '../../runs/inputs/inputFields.ts'
import { mergeMapping, guessMapping, type ValueSource } from './columnMapping.ts'
import type { DuplicateCheck } from './tableDuplicates.ts'
import type { TableReading } from './TableReadingChoice.tsx'
import { TableWorkerClient } from './tableWorkerClient.ts'

/** The sheet is null for the first one of a workbook. */
export interface ImportSource extends TableReading {
  /** Differs for each table of this page: the worker stores only the last one, and an upload goes on only with its own. */
  version: number
  name: string
  data: ArrayBuffer | string
}

/** What was given of a table: the table itself, and the text in the field for pasting. */
export interface TableDraft {
  source: ImportSource | null
  pasted: string
}
export const EMPTY_TABLE_DRAFT: TableDraft = { source: null, pasted: '' }

const AS_DETECTED = { encoding: null, sheet: null }

let lastVersion = 0
const createVersion = (): number => ++lastVersion

/** The imported table: source, parse result, column mapping, validation result. */
export function useImportTable(options: {
  controls: InputField[]
  needsInput: boolean
  /** Finds rows that repeat each other, or what exists already; `version` identifies the texts to compare with. */
  duplicateCheck?: (DuplicateCheck & { version: number }) | null
  /** True while the texts to compare with are loading: the check waits for them. */
  isWaiting?: boolean
  /** A draft of a form before this one, which goes on here, and where changes of it go. */
  draft?: TableDraft
  onDraft?: (draft: TableDraft) => void
}) {
  const { controls, needsInput, duplicateCheck = null, isWaiting = false, draft = EMPTY_TABLE_DRAFT, onDraft } = options
  const [worker] = useState(() => new TableWorkerClient())
  useEffect(() => () => worker.terminate(), [worker])
  // The worker of this form has not read the table yet.
  const [source, setSource] = useState(() => draft.source && { ...draft.source, version: createVersion() })
  const [pasted, setPasted] = useState(draft.pasted)
  const changeDraft = (change: Partial<TableDraft>) => {
    const next = { source, pasted, ...change }
    setSource(next.source)
    setPasted(next.pasted)
    onDraft?.(next)
  }
  const [chosenSources, setChosenSources] = useState<Record<string, ValueSource | null>>({})
  const read = useQuery({
    queryKey: ['table', source?.version],
    queryFn: () => worker.read(source?.data ?? '', source?.encoding ?? null, source?.sheet ?? null),
    enabled: source !== null,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const table = read.data ?? null
  const mapping = table ? mergeMapping(guessMapping(controls, table.heads), chosenSources) : {}
  // Not a result from before another check: the rows that are sent are those of the last one.
  const checked = useQuery({
    queryKey: ['table checked', source?.version, mapping, controls, needsInput, duplicateCheck?.version],
    queryFn: () => worker.check({ controls, mapping, needsInput, duplicateCheck }),
    enabled: table !== null && !isWaiting,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const load = (name: string, data: ArrayBuffer | string, how: TableReading = AS_DETECTED) =>
    changeDraft({ source: { version: createVersion(), name, data, ...how } })
  /** Another table, or sheet, has its own columns; constant texts stay. */
  const forgetColumns = () =>
    setChosenSources((before) =>
      Object.fromEntries(Object.entries(before).filter(([, origin]) => origin && 'text' in origin)),
    )
  return {
    thread: worker,
    source,
    pasted,
    onPasted: (text: string) => changeDraft({ pasted: text }),
    load,
    readAgain: (reading: TableReading) => {
      if (!source) return
      load(source.name, source.data, reading)
      if (reading.sheet !== null) forgetColumns()
    },
    drop: () => {
      changeDraft({ source: null })
      forgetColumns()
    },
    choose: (variable: string, origin: ValueSource | null) =>
      setChosenSources((before) => ({ ...before, [variable]: origin })),
    table: source ? table : null,
    isReading: source !== null && read.isPending,
    readError: read.error?.message ?? null,
    mapping,
    checked: source && !checked.isFetching ? (checked.data ?? null) : null,
  }
}
