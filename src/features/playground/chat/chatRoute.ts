import { useCallback, useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#domain/paths.ts'
import { type InspectorTab, INSPECTOR_TABS } from '../../runs/inspector/inspectorTabs.ts'

/** Where the playground stands: all of it is in the URL, so a reload or a pasted link brings it back. */
export interface ChatRoute {
  conversation: string | null
  /** The run that is looked at: the one just begun, or the one whose parts the inspector shows. */
  run: string | null
  tab: InspectorTab
  /** The source that is selected, by its position. */
  source: number | null
  /** The frame that is selected, by its number. It is the run's: another run has another. */
  frame: number | null
  /** Runs that are shown in place of the newest branch of their turn. */
  branches: readonly string[]
}

export type SetChatRoute = (change: Partial<ChatRoute>, options?: { replace?: boolean }) => void

/** Where the playground stands at this moment: the address may have changed since it was last drawn. */
export const getChatRoute = (): ChatRoute => parseChatRoute(new URLSearchParams(window.location.search))

export function useChatRoute(): ChatRoute & { go: SetChatRoute } {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const keptParams = search.toString()
  const setRoute = useCallback<SetChatRoute>(
    (change, options) => {
      const now = new URLSearchParams(window.location.search)
      const before = parseChatRoute(now)
      const { branches, ...target } = { ...before, ...change }
      const shown = {
        workspace: now.get('workspace') ?? undefined,
        app: now.get('app') ?? undefined,
        ...target,
        tab: target.tab === INSPECTOR_TABS[0] ? null : target.tab,
        frame: target.run === before.run ? target.frame : null,
        branch: branches.join() || null,
      }
      void navigate(paths.chat(shown), { replace: options?.replace ?? false })
    },
    [navigate],
  )
  const route = useMemo(() => parseChatRoute(new URLSearchParams(keptParams)), [keptParams])
  return { ...route, go: setRoute }
}

function parseChatRoute(search: URLSearchParams): ChatRoute {
  const tab = INSPECTOR_TABS.find((one) => one === search.get('tab')) ?? INSPECTOR_TABS[0]
  return {
    conversation: search.get('conversation'),
    run: search.get('run'),
    tab,
    source: parseInteger(search.get('source')),
    frame: parseInteger(search.get('frame')),
    branches: search.get('branch')?.split(',') ?? [],
  }
}

function parseInteger(text: string | null): number | null {
  const number = Number(text ?? NaN)
  return Number.isInteger(number) ? number : null
}
