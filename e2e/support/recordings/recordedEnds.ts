import { isStream, type RecordedExchange } from './recordings.ts'

/** How a recorded run ended, in the words of Loupe's run statuses. */
export type RecordedEnd =
  | 'succeeded'
  | 'partial-succeeded'
  | 'failed'
  | 'stopped'
  | 'paused'
  | 'refused'
  | 'interrupted'

/** The ends that are no plain success, by the names of the exchanges; those of our samples stand behind the empty line. */
const ENDS: Record<string, RecordedEnd> = {
  'chat, model fails, streaming': 'failed',
  'chat, cut by the reader after 4 pieces': 'interrupted',
  'chat, stopped': 'stopped',
  'chatflow, model fails': 'failed',
  'chatflow, stopped': 'stopped',
  'completion, model fails': 'failed',
  'workflow, input missing': 'refused',
  'fail, streaming, x': 'failed',
  'llmflow, streaming, FAILMODEL': 'failed',
  'cfin (chatflow), streaming': 'refused',
  'llmflow, stopped': 'stopped',
  'llmflow, cut by the reader after 12 pieces': 'interrupted',
  'human, pauses': 'paused',
  'human, events while paused, snapshot': 'paused',
  'human, events after the answer': 'paused',
  'human 2, pauses': 'paused',

  'chat, cut by the reader': 'interrupted',
  'workflow, stopped, told as failed': 'stopped',
  'workflow, stopped, told as stopped': 'stopped',
  'workflow, node fails': 'failed',
  'workflow, handled failure': 'partial-succeeded',
  'workflow, broken off by the server': 'interrupted',
  'chatflow, input missing': 'refused',
  'workflow, pauses': 'paused',
}

/** How the run of a recorded stream ended; the recorder sent the stop of one that was stopped. */
export const getRecordedEnd = ({ name }: RecordedExchange): RecordedEnd => ENDS[name] ?? 'succeeded'

/** The streams of a recording that ended with the reader's own stop before their last piece. */
export const isStopped = (exchange: RecordedExchange): boolean =>
  isStream(exchange) && getRecordedEnd(exchange) === 'stopped'
