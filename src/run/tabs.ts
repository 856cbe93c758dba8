/** The parts of a run that the inspector shows, in the order of their keys. */
export const TABS = ['frames', 'request', 'reply', 'sources', 'usage'] as const
export type Tab = (typeof TABS)[number]
