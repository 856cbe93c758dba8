/** The tabs of the inspector, in the order of their shortcuts. */
export const INSPECTOR_TABS = ['frames', 'request', 'reply', 'sources', 'usage'] as const
export type InspectorTab = (typeof INSPECTOR_TABS)[number]
