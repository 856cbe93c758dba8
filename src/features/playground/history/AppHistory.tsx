import { SegmentedControl } from '@mantine/core'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { AppRuns } from './AppRuns.tsx'
import { FailureGroups } from './FailureGroups.tsx'
import classes from './AppHistory.module.css'
import type { AppHistoryProps } from './appHistoryProps.ts'
import { appHistoryMessages } from './messages.ts'
import { PlatformLog } from './PlatformLog.tsx'

/** The history of an app: its stored runs, its failures, and the platform's own log if available. */
export function AppHistory(props: AppHistoryProps) {
  const { entry, app } = props
  const t = useMessages(appHistoryMessages)
  const { get, set } = useSearchParamState()
  const isWorkflow = entry === 'workflows.run'
  const parts = ['runs', 'failures', ...(app.offers.includes('workflowLogs') ? ['log'] : [])] as const
  const part = isWorkflow ? (parts.find((one) => one === get('of')) ?? 'runs') : 'runs'
  return (
    <div className={classes.history}>
      {isWorkflow ? (
        <SegmentedControl
          className={classes.parts}
          size="xs"
          aria-label={t('historySections')}
          value={part}
          onChange={(of) => set({ of: of === 'runs' ? null : of, status: null }, { replace: true })}
          data={parts.map((value) => ({ value, label: t(value as 'runs' | 'failures' | 'log') }))}
        />
      ) : null}
      {part === 'runs' ? <AppRuns {...props} /> : null}
      {part === 'failures' ? <FailureGroups {...props} /> : null}
      {part === 'log' ? <PlatformLog {...props} /> : null}
    </div>
  )
}
