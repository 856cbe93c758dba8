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
  /** The frame that is selected, by its number. It is the run's: another run has another. */
  frame: number | null
  /** Runs that are shown in place of the newest branch of their turn. */
  branches: readonly string[]
}

export type Go = (change: Partial<Place>, options?: { replace?: boolean }) => void

/** Where the playground stands at this moment: the address may have changed since it was last drawn. */
export const placeNow = (): Place => placeOf(new URLSearchParams(window.location.search))

export function usePlace(): Place & { go: Go } {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const kept = search.toString()
  const go = useCallback<Go>(
    (change, options) => {
      const now = new URLSearchParams(window.location.search)
      const before = placeOf(now)
      const { branches, ...target } = { ...before, ...change }
      const shown = {
        workspace: now.get('workspace') ?? undefined,
        app: now.get('app') ?? undefined,
        ...target,
        tab: target.tab === TABS[0] ? null : target.tab,
        frame: target.run === before.run ? target.frame : null,
        branch: branches.join() || null,
      }
      void navigate(paths.chat(shown), { replace: options?.replace ?? false })
    },
    [navigate],
  )
  const place = useMemo(() => placeOf(new URLSearchParams(kept)), [kept])
  return { ...place, go }
}

function placeOf(search: URLSearchParams): Place {
  const tab = TABS.find((one) => one === search.get('tab')) ?? TABS[0]
  return {
    conversation: search.get('conversation'),
    run: search.get('run'),
    tab,
    source: wholeOf(search.get('source')),
    frame: wholeOf(search.get('frame')),
    branches: search.get('branch')?.split(',') ?? [],
  }
}

function wholeOf(text: string | null): number | null {
  const number = Number(text ?? NaN)
  return Number.isInteger(number) ? number : null
}
