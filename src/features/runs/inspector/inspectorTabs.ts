import { isTurnOver, type Turn } from '../turn.ts'

/** The tabs of the inspector, in the order of their shortcuts. */
export const INSPECTOR_TABS = ['frames', 'request', 'reply', 'sources', 'usage'] as const
/** The tabs of the inspector in a chat: the last one is of the conversation, where its app is a chatflow. */
export const CHAT_INSPECTOR_TABS = [...INSPECTOR_TABS, 'variables'] as const
export type InspectorTab = (typeof CHAT_INSPECTOR_TABS)[number]

/** The tab of the inspector in a URL; null for none, or for one that this inspector does not have. */
export const parseInspectorTab = (
  name: string | null | undefined,
  tabs: readonly InspectorTab[] = INSPECTOR_TABS,
): InspectorTab | null => tabs.find((one) => one === name) ?? null

/** The tab that is open until one is chosen: of a run that is over without a frame its reply, which is all there is. */
export function getDefaultInspectorTab(turn: Turn | null): InspectorTab {
  if (!turn || !isTurnOver(turn) || turn.frames > 0) return 'frames'
  // There is no reply if the platform was never asked.
  const isUnasked = turn.state === 'unsent' || (turn.state === 'refused' && !turn.problem?.upstream)
  return isUnasked ? 'frames' : 'reply'
}
