import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { suiteEndpoints } from '#contract/console/suites.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { Can } from '../../../client/Can.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTurn } from '../useTurn.ts'
import { testCaseMessages } from './messages.ts'
import { LazyTestCaseDrawer } from './TestCaseButton.tsx'

interface RunTestCaseButtonProps {
  run_id: string
  app: Key
  workspace: string
}

/** Makes a case of a suite from a run that is only read when somebody wants one. */
export function RunTestCaseButton({ run_id, app, workspace }: RunTestCaseButtonProps) {
  const t = useMessages(testCaseMessages)
  const [isOpen, setOpen] = useState(false)
  if (app.kind === 'knowledge') return null
  return (
    <Can entry={suiteEndpoints.addSuiteCases}>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        {t('makeCase')}
      </Button>
      {isOpen ? (
        <RunTestCase run_id={run_id} app={app} target={app.kind} workspace={workspace} onClose={() => setOpen(false)} />
      ) : null}
    </Can>
  )
}

interface RunTestCaseProps extends RunTestCaseButtonProps {
  target: Exclude<Key['kind'], 'knowledge'>
  onClose: () => void
}

function RunTestCase({ run_id, ...props }: RunTestCaseProps) {
  const t = useMessages(testCaseMessages)
  const { turn, problem, retry } = useTurn(run_id)
  if (problem) return <ProblemAlert problem={problem} action={t('readRunWhat')} onRetry={retry} />
  if (!turn) return null
  return (
    <Suspense>
      <LazyTestCaseDrawer turn={turn} {...props} />
    </Suspense>
  )
}
