/** What a server says of itself: whether it takes requests, only ends what it has begun, or is about to exit. */
export const REPORTED_SERVER_STATES = ['ready', 'draining', 'stopping'] as const
export type ReportedServerState = (typeof REPORTED_SERVER_STATES)[number]
