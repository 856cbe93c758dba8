import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the page Servers. */
export const serverMessages = {
  title: 'Servers',
  readServers: 'load the servers',
  adminOnly: 'Only admins can see the servers of this console.',
  embeddedText:
    'The embedded database has one server, this one. Several servers share a PostgreSQL, which DATABASE_URL names.',
  server: 'Server',
  thisServer: 'this server',
  state_ready: 'ready',
  state_draining: 'draining',
  state_stopping: 'stopping',
  state_not_responding: 'not responding',
  drainingHelp: 'It gets no new requests from a balancer, and still answers all of them.',
  stoppingHelp: 'It starts no new runs and ends when its last run has ended, or its time is over.',
  notRespondingHelp: 'Its heartbeat is missing. Other servers take over its runs.',
  version: sharedTexts.version,
  earlierVersion: 'an earlier release',
  activeRuns: 'Active runs',
  openStreams: 'Open streams',
  delay: 'Delay',
  delayHelp: '99th percentile of the event loop delay in the last minute',
  milliseconds: sharedTexts.milliseconds,
  heartbeat: 'Last heartbeat',
  secondsAgo: '{seconds} s ago',
  sameSettings: 'All servers have the same master key and the same settings.',
  differencesTitle: '{count, plural, one {1 setting differs} other {# settings differ}} between servers',
  differencesText:
    'These should be the same on all servers, or the answer depends on which of them a balancer asks. Values are not shown: compare the environments of these servers.',
  valueOf: 'Value {number}: {servers}',
  versionsDiffer: 'The servers run {count} versions. Finish the upgrade soon.',
}
