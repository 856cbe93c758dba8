import { useRef } from 'react'
import type { EndpointBody, EndpointReply } from '#contract/endpoint.ts'
import { type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { useWrite } from '../../../client/query.ts'
import { newRunId } from '../../../client/useRun.ts'

type ExperimentBody = Omit<EndpointBody<typeof suiteEndpoints.createExperiment>, 'id'>

/**
 * Starts an experiment of a suite. A request that failed may have started it, its reply lost: the same one sent again has the
 * same id, so that it starts nothing twice. After a success, or where that experiment is known to have ended, it has a new one.
 */
export function useExperimentStart(
  suite: Suite,
  { onDone }: { onDone?: (experiment: EndpointReply<typeof suiteEndpoints.createExperiment>) => void } = {},
) {
  const pending = useRef<{ stamp: string; id: string } | null>(null)
  const { mutateAsync, isPending, error } = useWrite(suiteEndpoints.createExperiment, {
    onDone: (experiment) => {
      pending.current = null
      onDone?.(experiment)
    },
  })
  const send = (body: ExperimentBody) => {
    const stamp = JSON.stringify([suite.id, body])
    const { last } = suite
    const hasEnded = last?.batch.state === 'ended' && last.id === pending.current?.id
    if (pending.current?.stamp !== stamp || hasEnded) pending.current = { stamp, id: newRunId() }
    return mutateAsync({ params: { suite_id: suite.id }, body: { ...body, id: pending.current.id } })
  }
  /** Its failure is in `error`. */
  const start = (body: ExperimentBody) => void send(body).catch(() => undefined)
  return { send, start, isPending, error }
}
