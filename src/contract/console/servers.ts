/**
 * What a server does for others. `draining`: everything, but it says that it is not ready, so that balancers send their
 * requests elsewhere. `stopping`: it begins no run any more, and goes on with those that it has.
 */
export const REPORTED_SERVER_STATES = ['ready', 'draining', 'stopping'] as const
export type ReportedServerState = (typeof REPORTED_SERVER_STATES)[number]
