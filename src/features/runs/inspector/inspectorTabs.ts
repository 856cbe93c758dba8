/** The tabs of the inspector, in the order of their shortcuts. */
export const INSPECTOR_TABS = ['frames', 'request', 'reply', 'sources', 'usage'] as const
/** The tabs of the inspector in a chat: the last one is of the conversation, where its app is a chatflow. */
export const CHAT_INSPECTOR_TABS = [...INSPECTOR_TABS, 'variables'] as const
export type InspectorTab = (typeof CHAT_INSPECTOR_TABS)[number]
