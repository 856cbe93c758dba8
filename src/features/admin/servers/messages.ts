import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the page Servers. */
export const serverMessages = {
  title: 'Servers',
  readServers: 'load the servers',
  adminOnly: 'Only admins can see the servers of this console.',
  embeddedText:
    'The embedded database allows one server, this one. Several servers share a PostgreSQL database, set by DATABASE_URL.',
  server: 'Server',
  thisServer: 'this server',
  state_ready: 'ready',
  state_draining: 'draining',
  state_stopping: 'stopping',
  state_not_responding: 'not responding',
  drainingHelp: 'The load balancer sends it no new requests. It still answers any that arrive.',
  stoppingHelp: 'It starts no new runs and exits when its last run has ended or its time is up.',
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
    'These should be the same on all servers. Otherwise responses depend on the server that the load balancer picks. Values are not shown: compare the environments of these servers.',
  valueOf: 'Value {number}: {servers}',
  versionsDiffer: 'The servers run {count} versions. Finish the upgrade soon.',
}
