import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { shellMessages } from './messages.ts'

/** Shows an error in place of a failed screen; the rest of the console stays. A new location (`at`) resets it. */
export function ScreenErrorBoundary({ at, children }: { at?: string; children: ReactNode }) {
  return (
    <ErrorBoundary FallbackComponent={ScreenError} resetKeys={[at]}>
      {children}
    </ErrorBoundary>
  )
}

function ScreenError({ error }: FallbackProps) {
  const t = useMessages(shellMessages)
  return (
    <div style={{ height: '100%', overflow: 'auto' }} role="alert">
      <EmptyState
        title={t('crash')}
        actions={
          <Button leftSection={<IconRefresh size={14} />} onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        }
      >
        {t('crashWhy')}
        <br />
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </EmptyState>
    </div>
  )
}
