/** The parts of a run that the inspector shows, in the order of their keys. */
export const INSPECTOR_TABS = ['frames', 'request', 'reply', 'sources', 'usage'] as const
export type InspectorTab = (typeof INSPECTOR_TABS)[number]
