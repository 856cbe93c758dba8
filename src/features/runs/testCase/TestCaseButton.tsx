import { ActionIcon, Button } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { suiteEndpoints } from '#contract/console/suites.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { Can } from '../../../client/Can.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { isTurnOver, type Turn } from '../turn.ts'
import { useTurn } from '../useTurn.ts'
import { testCaseMessages } from './messages.ts'

const LazyTestCaseDrawer = lazyWithPreload(async () => (await import('./TestCaseDrawer.tsx')).TestCaseDrawer)

interface TestCaseButtonProps {
  turn: Turn
  app: Key | null
  workspace: string
}

/** Makes a case of a suite from a run. */
export function TestCaseButton({ turn, app, workspace }: TestCaseButtonProps) {
  const t = useMessages(testCaseMessages)
  const [isOpen, setOpen] = useState(false)
  if (!app || app.kind === 'knowledge' || !isTurnOver(turn)) return null
  return (
    <Can entry={suiteEndpoints.addSuiteCases}>
      <Tooltip label={t('makeCase')}>
        <ActionIcon aria-label={t('makeCase')} onClick={() => setOpen(true)}>
          <IconChecklist size={15} />
        </ActionIcon>
      </Tooltip>
      {isOpen ? (
        <Suspense>
          <LazyTestCaseDrawer
            turn={turn}
            app={app}
            target={app.kind}
            workspace={workspace}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </Can>
  )
}

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
