import { useEffect, useState } from 'react'
import type { Filled } from '../../run/inputs.ts'

/** What stands in the composer and is not sent yet. */
export interface Draft {
  query: string
  filled: Filled
  /** Null while the person's default stands. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
}

export const noDraft: Draft = { query: '', filled: {}, user: null, response_mode: 'streaming' }

/** A draft for each conversation of each app, kept until the browser's tab is closed. */
export function useDraft(app: string, conversation: string | null): [Draft, (change: Partial<Draft>) => void] {
  const place = `loupe-draft:${app}:${conversation ?? 'new'}`
  const [held, hold] = useState(() => ({ place, draft: read(place) }))
  const current = held.place === place ? held : { place, draft: read(place) }
  if (current !== held) hold(current)
  useEffect(() => write(held.place, held.draft), [held])
  return [current.draft, (change) => hold((before) => ({ place: before.place, draft: { ...before.draft, ...change } }))]
}

function read(place: string): Draft {
  try {
    return { ...noDraft, ...(JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<Draft>) }
  } catch {
    return noDraft
  }
}

/** Storage may be full or switched off; then a draft lives as long as its page. */
function write(place: string, draft: Draft): void {
  try {
    if (JSON.stringify(draft) === JSON.stringify(noDraft)) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(draft))
  } catch {
    return
  }
}
