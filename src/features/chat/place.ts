import { useCallback, useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import { type Tab, TABS } from '../../run/tabs.ts'

/** Where the playground stands: all of it is in the URL, so a reload or a pasted link brings it back. */
export interface Place {
  conversation: string | null
  /** The run that is looked at: the one just begun, or the one whose parts the inspector shows. */
  run: string | null
  tab: Tab
  /** The source that is selected, by its position. */
  source: number | null
  /** Runs that are shown in place of the newest branch of their turn. */
  branches: readonly string[]
}

export type Go = (change: Partial<Place>, options?: { replace?: boolean }) => void

export function usePlace(): Place & { go: Go } {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const kept = search.toString()
  const go = useCallback<Go>(
    (change, options) => {
      const now = new URLSearchParams(kept)
      const target = {
        workspace: now.get('workspace') ?? undefined,
        app: now.get('app') ?? undefined,
        ...placeOf(now),
        ...change,
      }
      const { branches, ...rest } = target
      const shown = { ...rest, tab: target.tab === 'sources' ? null : target.tab, branch: branches.join() || null }
      void navigate(paths.chat(shown), { replace: options?.replace ?? false })
    },
    [kept, navigate],
  )
  const place = useMemo(() => placeOf(new URLSearchParams(kept)), [kept])
  return { ...place, go }
}

function placeOf(search: URLSearchParams): Place {
  const tab = TABS.find((one) => one === search.get('tab')) ?? 'sources'
  const source = Number(search.get('source') ?? NaN)
  return {
    conversation: search.get('conversation'),
    run: search.get('run'),
    tab,
    source: Number.isInteger(source) ? source : null,
    branches: search.get('branch')?.split(',') ?? [],
  }
}
