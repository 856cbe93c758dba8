import { useCallback, useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#domain/paths.ts'
import { CHAT_INSPECTOR_TABS, type InspectorTab, parseInspectorTab } from '../../runs/inspector/inspectorTabs.ts'

/** The state of the playground. All of it is in the URL, so a reload or a link restores it. */
export interface ChatRoute {
  conversation: string | null
  /** The focused run: the latest one, or the one in the inspector. */
  run: string | null
  /** The tab of the inspector that was chosen; null for the default one. */
  tab: InspectorTab | null
  /** The position of the selected source. */
  source: number | null
  /** The number of the selected frame, within the focused run. */
  frame: number | null
  /** Runs that are shown instead of the newest branch of their turn. */
  branches: readonly string[]
  /** The dataset that a new conversation is about. */
  about: string | null
  /** The document of that dataset that it is about. */
  document: string | null
}

export type SetChatRoute = (change: Partial<ChatRoute>, options?: { replace?: boolean }) => void

/** The current route: the URL may have changed since the last render. */
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
        frame: target.run === before.run ? target.frame : null,
        branch: branches.join() || null,
        about: target.conversation || target.run ? null : target.about,
        document: target.conversation || target.run ? null : target.document,
      }
      void navigate(paths.chat(shown), { replace: options?.replace ?? false })
    },
    [navigate],
  )
  const route = useMemo(() => parseChatRoute(new URLSearchParams(keptParams)), [keptParams])
  return { ...route, go: setRoute }
}

function parseChatRoute(search: URLSearchParams): ChatRoute {
  return {
    conversation: search.get('conversation'),
    run: search.get('run'),
    tab: parseInspectorTab(search.get('tab'), CHAT_INSPECTOR_TABS),
    source: parseInteger(search.get('source')),
    frame: parseInteger(search.get('frame')),
    branches: search.get('branch')?.split(',') ?? [],
    about: search.get('about'),
    document: search.get('document'),
  }
}

function parseInteger(text: string | null): number | null {
  const number = Number(text ?? NaN)
  return Number.isInteger(number) ? number : null
}
