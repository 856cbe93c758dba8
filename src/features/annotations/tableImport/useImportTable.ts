import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { isBlocking } from '#domain/tables/table.ts'
import type { InputField } from '../../runs/inputs/inputFields.ts'
import { type ColumnMapping, guessMapping, type ValueSource } from './columnMapping.ts'
import type { DuplicateCheck } from './rowCheck.ts'
import type { SkippedRows, TableCall, TableCalls, TableReading } from './tableWorker.ts'

export interface ImportSource extends TableReading {
  /**
   * Differs for each table of this page: the worker stores only the last one, and an upload continues only with its
   * own.
   */
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

export type ImportTable = ReturnType<typeof useImportTable>

/** The imported table: source, parse result, column mapping, validation result, and which rows are sent. */
export function useImportTable({
  controls,
  needsInput,
  draft,
  onDraft,
  duplicateCheck = null,
  isWaiting = false,
}: {
  controls: InputField[]
  needsInput: boolean
  draft: TableDraft
  onDraft: (draft: TableDraft) => void
  /** Finds rows that repeat each other, or what exists already; `version` identifies the texts to compare with. */
  duplicateCheck?: (DuplicateCheck & { version: number }) | null
  /** True while the texts to compare with are loading: the check waits for them. */
  isWaiting?: boolean
}) {
  const [worker] = useState(() => new TableWorker())
  useEffect(() => () => worker.terminate(), [worker])
  const { source, pasted } = draft
  const [chosenSources, setChosenSources] = useState<ColumnMapping>({})
  const [skipped, setSkipped] = useState<SkippedRows>({ skipFaulty: false, skipDuplicates: true })
  // The worker of another form has another table, or none.
  const tableKey = [useId(), source?.version]
  const read = useQuery({
    queryKey: ['table', tableKey],
    queryFn: source ? () => worker.call('read', source) : skipToken,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const table = read.data ?? null
  const mapping = table ? { ...guessMapping(controls, table.heads), ...chosenSources } : {}
  // Not a result from before another check: the rows that are sent are those of the last one.
  const check = useQuery({
    queryKey: ['table checked', tableKey, mapping, controls, needsInput, duplicateCheck?.version],
    queryFn: () => worker.call('check', { controls, mapping, needsInput, duplicateCheck }),
    enabled: table !== null && !isWaiting,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const checked = check.isFetching ? null : (check.data ?? null)
  const isBroken = table?.problems.some(isBlocking) ?? true
  const isSendable = checked && !isBroken && (checked.invalidRows === 0 || skipped.skipFaulty)
  const load = (name: string, data: ArrayBuffer | string, reading: TableReading = AS_DETECTED) =>
    onDraft({ pasted, source: { version: ++lastVersion, name, data, ...reading } })
  /** Another table, or sheet, has its own columns; constant texts stay. */
  const forgetColumns = () =>
    setChosenSources((before) =>
      Object.fromEntries(Object.entries(before).filter(([, origin]) => origin && 'text' in origin)),
    )
  return {
    worker,
    source,
    pasted,
    setPasted: (text: string) => onDraft({ source, pasted: text }),
    load,
    readAgain: (reading: TableReading) => {
      if (!source) return
      load(source.name, source.data, reading)
      if (reading.sheet !== null) forgetColumns()
    },
    drop: () => {
      onDraft({ pasted, source: null })
      forgetColumns()
    },
    choose: (variable: string, origin: ValueSource | null) =>
      setChosenSources((before) => ({ ...before, [variable]: origin })),
    table,
    isReading: source !== null && read.isPending,
    readError: read.error?.message ?? null,
    mapping,
    checked,
    isBroken,
    skipped,
    skip: (change: Partial<SkippedRows>) => setSkipped({ ...skipped, ...change }),
    /** How many rows are sent. */
    total: isSendable ? checked.validRows - (skipped.skipDuplicates ? checked.duplicateRows : 0) : 0,
    /** Identifies the content of the rows that are sent. */
    contentKey: JSON.stringify([source?.version, mapping, skipped, duplicateCheck?.version]),
  }
}

class TableWorker {
  readonly #worker = new Worker(new URL('./tableWorker.ts', import.meta.url), { type: 'module' })

  /** @throws Error with the reason. */
  call<Name extends keyof TableCalls>(
    name: Name,
    options: Parameters<TableCalls[Name]>[0],
  ): Promise<Awaited<ReturnType<TableCalls[Name]>>> {
    const { port1, port2 } = new MessageChannel()
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error('The worker has stopped.'))
      this.#worker.addEventListener('error', fail)
      port1.onmessage = ({
        data,
      }: MessageEvent<{ value: Awaited<ReturnType<TableCalls[Name]>> } | { error: Error }>) => {
        port1.close()
        this.#worker.removeEventListener('error', fail)
        if ('error' in data) reject(data.error)
        else resolve(data.value)
      }
      this.#worker.postMessage({ name, options, port: port2 } satisfies TableCall, [port2])
    })
  }

  terminate(): void {
    this.#worker.terminate()
  }
}
