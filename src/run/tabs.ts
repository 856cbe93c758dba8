/** The parts of a run that the inspector shows. */
export const TABS = ['sources', 'usage', 'request'] as const
export type Tab = (typeof TABS)[number]
