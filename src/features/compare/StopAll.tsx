import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { STOPS } from '../../run/entries.ts'
import { useWords } from '../../ui/words.ts'
import { call } from '../../wire/call.ts'
import classes from './Board.module.css'
import { compareWords } from './messages.ts'

/** A run that goes on, as the platform is asked to stop it. */
export interface Going {
  key: Key
  by: (typeof STOPS)[keyof typeof STOPS]
  task_id: string
  user: string
}

/** Has every run of the board stopped where the platform can, and no further round sent. */
export function StopAll({ going, onHold }: { going: () => Going[]; onHold: () => void }) {
  const t = useWords(compareWords)
  const [isAsking, setAsking] = useState(false)
  const [refused, setRefused] = useState<Problem[]>([])
  const stop = async () => {
    onHold()
    setAsking(true)
    const asked = await Promise.all(
      going().map(({ key, by, task_id, user }) =>
        call(contract.adjacent[by], { key: key.id, params: { task_id }, body: { user } }).then(
          () => null,
          (error: unknown) => {
            if (!(error instanceof ProblemError)) throw error
            return error.problem
          },
        ),
      ),
    )
    setAsking(false)
    setRefused(asked.filter((problem) => problem !== null))
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={14} />}
        loading={isAsking}
        title={t('stopAllWhy')}
        onClick={() => void stop()}
      >
        {t('stopAll')}
      </Button>
      {refused[0] ? (
        <span className={classes.lack} role="alert">
          {t('stopRefused', { count: refused.length, reason: refused[0].message })}
        </span>
      ) : null}
    </>
  )
}
