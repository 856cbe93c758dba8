/** The tabs of the inspector, in the order of their shortcuts. */
export const INSPECTOR_TABS = ['frames', 'request', 'reply', 'sources', 'usage'] as const
/** The tabs of the inspector in a chat: the last one is of the conversation, where its app is a chatflow. */
export const CHAT_INSPECTOR_TABS = [...INSPECTOR_TABS, 'variables'] as const
/** The tab that is open until one is chosen: of a run without frames its reply, which is all there is. */
export const getDefaultInspectorTab = (turn: { frames: number } | null, isOver: boolean): InspectorTab =>
  turn && isOver && turn.frames === 0 ? 'reply' : 'frames'
export type InspectorTab = (typeof CHAT_INSPECTOR_TABS)[number]
