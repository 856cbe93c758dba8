import type { Problem } from '#contract/problem.ts'
import type { Run } from '#contract/console/runs.ts'

/**
 * Releases (`X-Version`) that abort a run resumed within an hour after its pause. Later builds may have the same
 * name.
 */
const ABORTING_RELEASES = ['1.16.0', '1.16.1']
/** Milliseconds after the pause from which a run can be resumed again: the platform's hour and a minute. */
export const ABORT_WINDOW_MS = 61 * 60_000

const ABORT_MESSAGE = /Client response stream closed/i
const STOP_MESSAGE = /User requested stop/i

/** Prefix of the message of such an end. */
export const ABORTED_RESUMPTION_MESSAGE =
  'The platform ended this run instead of resuming it, a fault of its releases 1.16.0 and 1.16.1. Your answer was accepted; steps after the form may have run.'

/** Whether a release may abort this paused run. A chatflow started as a stream is not affected. */
export const mayAbortResumption = ({
  entry,
  response_mode,
  platform_version,
}: Pick<Run, 'entry' | 'response_mode' | 'platform_version'>): boolean =>
  ABORTING_RELEASES.includes(platform_version ?? '') && (entry === 'workflows.run' || response_mode === 'blocking')

/**
 * Whether the platform aborted a `stopped` run that was not stopped from this console. `error` is the one in the
 * platform's record.
 */
export const isAbortedResumption = (error: string | null, run: Parameters<typeof mayAbortResumption>[0]): boolean =>
  ABORT_MESSAGE.test(error ?? '') || (mayAbortResumption(run) && !STOP_MESSAGE.test(error ?? ''))

export const toAbortedResumptionProblem = (error: string | null): Problem => ({
  kind: 'refused',
  message: `${ABORTED_RESUMPTION_MESSAGE}${error === null ? '' : ` The platform’s record says “${error}”.`}`,
})
