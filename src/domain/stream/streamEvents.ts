import type { StreamProblem } from '../workflowRun/runState.ts'
import { asMessage, asNumber, asText } from './untrustedJson.ts'

/** Events of any stream without run data: keep-alives and speech output. */
export const IGNORED_EVENTS: readonly string[] = ['ping', 'tts_message', 'tts_message_end']

export const toStreamProblem = (event: Record<string, unknown>): StreamProblem => ({
  status: asNumber(event.status),
  code: asText(event.code),
  message: asMessage(event.message),
})
