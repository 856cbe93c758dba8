import { useState } from 'react'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import { useRead } from '../../../../client/query.ts'
import { SEGMENTS_PER_PAGE, type SegmentRowRecord, type SegmentSource, useSegmentPage } from './useSegmentPage.ts'

export interface SegmentNavigation {
  /** The shown segment: the one in the URL, else the first; undefined before there is any. */
  current: string | undefined
  /** Its place in the list, null where it is not known: the list may be filtered. */
  index: number | null
  total: number | null
  /** Opens the neighbour; null without one. */
  previous: (() => void) | null
  next: (() => void) | null
  /** Notes the place of a segment that is opened from its row. */
  noteIndex: (id: string, index: number) => void
}

/** Which segment is shown, and the way to its neighbours in the list. */
export function useSegmentNavigation(
  source: SegmentSource,
  chosen: string | undefined,
  onOpen: (segment_id: string) => void,
): SegmentNavigation {
  const [known, setKnown] = useState<{ id: string; index: number } | null>(null)
  const first = useSegmentPage(source, 1)
  const current = chosen ?? first.rows?.[0]?.id
  const { dataset_id, document_id } = source
  const open = useRead(
    segmentEndpoints.read,
    { key: source.keyId, params: { dataset_id, document_id, segment_id: current ?? '' } },
    { enabled: current !== undefined },
  )
  // A platform counts from 1; the place is right where no filter is set and nothing was deleted before it.
  const position = open.data?.data.position
  const guess = known?.id === current ? known?.index : position == null ? 0 : Math.max(0, position - 1)
  const page = Math.floor((guess ?? 0) / SEGMENTS_PER_PAGE) + 1
  const pages = [useSegmentPage(source, page), useSegmentPage(source, Math.max(1, page - 1))]
  const rows = new Map<number, SegmentRowRecord>()
  for (const [offset, { rows: found }] of pages.entries())
    for (const [at, row] of (found ?? []).entries())
      rows.set((Math.max(1, page - offset) - 1) * SEGMENTS_PER_PAGE + at, row)
  for (const [at, row] of (first.rows ?? []).entries()) rows.set(at, row)
  const index = [...rows].find(([, { id }]) => id === current)?.[0] ?? null
  const following = useSegmentPage(source, index === null ? 1 : Math.floor((index + 1) / SEGMENTS_PER_PAGE) + 1)
  if (index !== null && !rows.has(index + 1)) {
    const row = following.rows?.[(index + 1) % SEGMENTS_PER_PAGE]
    if (row) rows.set(index + 1, row)
  }
  const step = (by: number) => {
    const at = (index ?? 0) + by
    const row = index === null ? undefined : rows.get(at)
    if (!row || at < 0 || at >= (first.total ?? 0)) return null
    return () => {
      setKnown({ id: row.id, index: at })
      onOpen(row.id)
    }
  }
  return {
    current,
    index,
    total: first.total,
    previous: step(-1),
    next: step(1),
    noteIndex: (id, at) => setKnown({ id, index: at }),
  }
}
