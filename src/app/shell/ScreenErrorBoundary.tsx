import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { shellMessages } from './messages.ts'

/** Shows an error in place of a failed screen; the rest of the console stays. A new location (`at`) resets it. */
export class ScreenErrorBoundary extends Component<
  { at?: string; children: ReactNode },
  { error: unknown; screenKey: string | undefined }
> {
  override state = { error: null as unknown, screenKey: this.props.at }

  static getDerivedStateFromError = (error: unknown) => ({ error })

  static getDerivedStateFromProps = (
    { at }: { at?: string },
    state: { error: unknown; screenKey: string | undefined },
  ) => (at === state.screenKey ? null : { error: null, screenKey: at })

  override render() {
    return this.state.error === null ? this.props.children : <ScreenError error={this.state.error} />
  }
}

function ScreenError({ error }: { error: unknown }) {
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
