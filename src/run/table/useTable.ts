import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Control } from '../inputs.ts'
import type { Encoding } from './decode.ts'
import { chosenOver, guess, type Origin } from './mapping.ts'
import { TableThread } from './thread.ts'

export interface Source {
  /** Differs from all before it: the worker holds the last one alone. */
  version: number
  name: string
  data: ArrayBuffer | string
  encoding: Encoding | null
}

/** The table of the page: its source, what was read of it, which column fills what, and what the check of its rows found. */
export function useTable(how: { controls: Control[]; needsInput: boolean }) {
  const [thread] = useState(() => new TableThread())
  useEffect(() => () => thread.end(), [thread])
  const [source, setSource] = useState<Source | null>(null)
  const [chosen, setChosen] = useState<Record<string, Origin | null>>({})
  const read = useQuery({
    queryKey: ['table', source?.version],
    queryFn: () => thread.read(source?.data ?? '', source?.encoding ?? null),
    enabled: source !== null,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const table = read.data ?? null
  const mapping = table ? chosenOver(guess(how.controls, table.heads), chosen) : {}
  const checked = useQuery({
    queryKey: ['table checked', source?.version, mapping, how.controls, how.needsInput],
    queryFn: () => thread.check({ controls: how.controls, mapping, needsInput: how.needsInput }),
    enabled: table !== null,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const load = (name: string, data: ArrayBuffer | string, encoding: Encoding | null = null) =>
    setSource((before) => ({ version: (before?.version ?? 0) + 1, name, data, encoding }))
  return {
    thread,
    source,
    load,
    recode: (encoding: Encoding) => source && load(source.name, source.data, encoding),
    /** Another table has columns of its own; what is the same for all rows stays. */
    drop: () => {
      setSource(null)
      setChosen((before) =>
        Object.fromEntries(Object.entries(before).filter(([, origin]) => origin && 'text' in origin)),
      )
    },
    choose: (variable: string, origin: Origin | null) => setChosen((before) => ({ ...before, [variable]: origin })),
    table: source ? table : null,
    isReading: source !== null && read.isPending,
    unread: read.error?.message ?? null,
    mapping,
    checked: source ? (checked.data ?? null) : null,
  }
}
