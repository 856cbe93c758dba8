import type { Problem } from '#contract/problem.ts'
import type { Run } from '#contract/console/runs.ts'

/** Releases (`X-Version`) that abort a run which goes on within an hour after its pause. Later builds may have the same name. */
const ABORTING_RELEASES = ['1.16.0', '1.16.1']
/** Milliseconds after the pause from which a run goes on again: the platform's hour and a minute. */
export const ABORT_WINDOW_MS = 61 * 60_000

const ABORT_MESSAGE = /Client response stream closed/i
const STOP_MESSAGE = /User requested stop/i

/** How the message of such an end begins. */
export const ABORTED_RESUMPTION_MESSAGE =
  'The platform ended this run instead of resuming it, a fault of its releases 1.16.0 and 1.16.1. Your answer was accepted; steps after the form may have run.'

/** Whether a release may abort this paused run. A chatflow that was started as a stream is not affected. */
export const mayAbortResumption = ({
  entry,
  response_mode,
  platform_version,
}: Pick<Run, 'entry' | 'response_mode' | 'platform_version'>): boolean =>
  ABORTING_RELEASES.includes(platform_version ?? '') && (entry === 'workflows.run' || response_mode === 'blocking')

/** Whether a `stopped` run that nobody stopped from here was aborted by its platform. `error` is that of the platform's record. */
export const isAbortedResumption = (error: string | null, run: Parameters<typeof mayAbortResumption>[0]): boolean =>
  ABORT_MESSAGE.test(error ?? '') || (mayAbortResumption(run) && !STOP_MESSAGE.test(error ?? ''))

export const toAbortedResumptionProblem = (error: string | null): Problem => ({
  kind: 'refused',
  message: `${ABORTED_RESUMPTION_MESSAGE}${error === null ? '' : ` The platform’s record says “${error}”.`}`,
})
