import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { STOP_ENTRIES } from '../runs/runEntries.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { call } from '../../client/http.ts'
import classes from './Board.module.css'
import { boardMessages } from './messages.ts'

/** A running round, with what its stop request needs. */
export interface RunningRound {
  key: Key
  stopEntry: (typeof STOP_ENTRIES)[keyof typeof STOP_ENTRIES]
  task_id: string
  user: string
}

/** Stops every run of the board if the platform supports it, and cancels pending rounds. */
export function StopAllRuns({
  getRunningRounds,
  onCancelQueued,
}: {
  getRunningRounds: () => RunningRound[]
  onCancelQueued: () => void
}) {
  const t = useMessages(boardMessages)
  const [isStopping, setStopping] = useState(false)
  const [stopProblems, setStopProblems] = useState<Problem[]>([])
  const stop = async () => {
    onCancelQueued()
    setStopping(true)
    const roundsToStop = await Promise.all(
      getRunningRounds().map(({ key, stopEntry, task_id, user }) =>
        call(optionalAppEndpoints[stopEntry], { key: key.id, params: { task_id }, body: { user } }).then(
          () => null,
          (error: unknown) => {
            if (!(error instanceof ProblemError)) throw error
            return error.problem
          },
        ),
      ),
    )
    setStopping(false)
    setStopProblems(roundsToStop.filter((problem) => problem !== null))
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={14} />}
        loading={isStopping}
        title={t('stopAllWhy')}
        onClick={() => void stop()}
      >
        {t('stopAll')}
      </Button>
      {stopProblems[0] ? (
        <span className={classes.lack} role="alert">
          {t('stopRefused', { count: stopProblems.length, reason: stopProblems[0].message })}
        </span>
      ) : null}
    </>
  )
}
