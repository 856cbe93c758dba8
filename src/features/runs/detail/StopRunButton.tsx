import { Button, Text } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { runMessages } from './messages.ts'

export interface StopRunButtonProps {
  app: Key
  entry: 'stopChat' | 'stopCompletion' | 'stopWorkflow'
  /** The task id from the first frames; without it nothing can be stopped. */
  task_id: string | null
  /** The user of the run. The platform ignores any other, and still returns success. */
  user: string
}

/** Asks the platform to stop a run. The run ends in its stream when the platform has stopped it. */
export function StopRunButton({ app, entry, task_id, user }: StopRunButtonProps) {
  const t = useMessages(runMessages)
  const write = useWrite(optionalAppEndpoints[entry])
  if (!app.offers.includes(entry) || task_id === null) return null
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
        <Text span size="sm" c="var(--failed-fg)" role="alert">
          {t('stopRefused', { reason: write.error.problem.message })}
        </Text>
      ) : null}
    </>
  )
}
