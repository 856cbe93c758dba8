import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { useWords } from '../ui/words.ts'
import { useWrite } from '../wire/query.ts'
import { runWords } from './messages.ts'
import classes from './RunBar.module.css'

export interface StopRunProps {
  app: Key
  by: 'stopChat' | 'stopCompletion' | 'stopWorkflow'
  /** The task that the platform named in its first frames; there is nothing to stop before. */
  task_id: string | null
  /** The user of the run. The platform ignores any other, and says success all the same. */
  user: string
}

/** Has the platform stop a run, where it offers that. The run ends in its stream, when the platform gets there. */
export function StopRun({ app, by, task_id, user }: StopRunProps) {
  const t = useWords(runWords)
  const write = useWrite(contract.adjacent[by])
  if (!app.offers.includes(by) || task_id === null) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={14} />}
        loading={write.isPending}
        disabled={write.isSuccess}
        onClick={() => write.mutate({ key: app.id, params: { task_id }, body: { user } })}
      >
        {t(write.isSuccess ? 'stopAsked' : 'stopRun')}
      </Button>
      {write.error ? (
        <span className={classes.refusal} role="alert">
          {t('stopRefused', { reason: write.error.problem.message })}
        </span>
      ) : null}
    </>
  )
}
