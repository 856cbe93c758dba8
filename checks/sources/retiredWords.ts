/**
 * Words that names in this project no longer use, as whole words of a name (`toRun` has `to` and `run`), with the standard
 * term that took their place. Words that are also common English are listed only as the names that they stood in.
 */
export const RETIRED_WORDS: Readonly<Record<string, string>> = {
  thing: 'resource',
  things: 'resources',
  deed: 'action',
  deeds: 'actions',
  told: 'detail, reported',
  herald: 'broadcast',
  doubt: 'unconfirmed',
  doubts: 'unconfirmedCalls',
  outlive: 'ignoreErrors',
  tender: 'vacuumScheduler',
  sweeper: 'retentionJob',
  settler: 'reconciler',
  newcomer: 'provisioning',
  newcomers: 'provisioning',
  patience: 'timeoutMs',
  elsewhere: 'remote, external',
  demand: 'require, assert',
  inquiry: 'detection',
  inquire: 'detect',
  sighting: 'observation, lookup result',
  workshop: 'workerPool',
  attention: 'alerts',
  needsalook: 'alerts',
  conductor: 'scheduler',
  sought: 'query',
  came: 'outcome, result',
  goes: 'isRunning',
  rouse: 'trigger',
  poke: 'trigger',
  alike: 'similar',
  most: 'max',
  least: 'min',
}

/**
 * Whole names that are gone, where their words are common English. `LONGEST` and its like named limits; the longest gap or
 * the largest chunk that was measured is standard English, so these words stay allowed within other names.
 */
export const RETIRED_NAMES: Readonly<Record<string, string>> = {
  useWords: 'useMessages',
  wordsOf: 'collectText',
  useMay: 'usePermission',
  Since: 'RelativeTime',
  Desk: 'ListDetailLayout',
  ToldOnce: 'OneTimeSecret',
  Slices: 'CursorPager',
  Outbox: 'FrameCoalescer',
  Hearing: 'DialectDetector',
  Speech: 'WorkspaceDialect',
  Withholder: 'StreamRedactor',
  Lines: 'connections',
  Attachments: 'RunSubscriptions',
  Together: 'StatementBatcher',
  Repeats: 'UnchangedReplyCache',
  Bench: 'TestConsole',
  SHORTEST: 'MIN_…',
  LONGEST: 'MAX_…',
  LARGEST: 'MAX_…',
}

/** Names that stay although their words are gone, by `file name`, each with its reason. */
export const STORED_NAMES: Readonly<Record<string, string>> = {
  'src/domain/workflowRun/runState.ts told': 'stored JSON of released data folders (calls.answer)',
  'src/domain/workflowRun/runState.ts elsewhere': 'stored JSON of released data folders (calls.answer)',
}
