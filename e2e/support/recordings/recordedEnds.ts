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

/** The other ends that are no plain success, by the names of the exchanges; those of our samples stand behind the empty line. */
const ENDS: Record<string, RecordedEnd> = {
  'chat, model fails, streaming': 'failed',
  'chat, cut by the reader after 4 pieces': 'interrupted',
  'chatflow, model fails': 'failed',
  'chatflow, replaced by output moderation, streaming': 'stopped',
  'completion, model fails': 'failed',
  'workflow, input missing': 'refused',
  'fail, streaming, x': 'failed',
  'llmflow, streaming, FAILMODEL': 'failed',
  'cfin (chatflow), streaming': 'refused',
  'llmflow, cut by the reader after 12 pieces': 'interrupted',
  'human by mail, events kept open while the recipient answers on the page of the mail (stopped 80 s before)':
    'stopped',
  'pipeline run, draft, streaming, chunks of the wrong form': 'failed',
  'voicechat, auto-play, FAILMODEL': 'failed',
  'voiceflow, auto-play, FAILMODEL': 'failed',

  'chat, cut by the reader': 'interrupted',
  'new agent, model fails, streaming': 'failed',
  'workflow, node fails': 'failed',
  'workflow, handled failure': 'partial-succeeded',
  'workflow, broken off by the server': 'interrupted',
  'chatflow, input missing': 'refused',
}

/** How the run of a recorded stream ended; the recorder sent the stop of one that was stopped. */
export function getRecordedEnd(exchange: RecordedExchange): RecordedEnd {
  if (isStopped(exchange)) return 'stopped'
  const lastEvent = exchange.response.body.slice(exchange.response.body.lastIndexOf('data: '))
  return lastEvent.startsWith('data: {"event":"workflow_paused"') ? 'paused' : (ENDS[exchange.name] ?? 'succeeded')
}

/** The streams of a recording that ended with the reader's own stop before their last piece. */
export const isStopped = (exchange: RecordedExchange): boolean =>
  isStream(exchange) && /, stopped(,| by its user|$)/.test(exchange.name)
