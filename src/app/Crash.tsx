import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { Empty } from '../ui/Empty.tsx'
import { useWords } from '../ui/words.ts'
import { shellWords } from './messages.ts'

/** A screen that has failed says so in its place; the rest of the console stays. Going elsewhere (`at`) tries again. */
export class Crash extends Component<{ at?: string; children: ReactNode }, { error: unknown; at: string | undefined }> {
  override state = { error: null as unknown, at: this.props.at }

  static getDerivedStateFromError = (error: unknown) => ({ error })

  static getDerivedStateFromProps = ({ at }: { at?: string }, state: { error: unknown; at: string | undefined }) =>
    at === state.at ? null : { error: null, at }

  override render() {
    return this.state.error === null ? this.props.children : <Crashed error={this.state.error} />
  }
}

function Crashed({ error }: { error: unknown }) {
  const t = useWords(shellWords)
  return (
    <div style={{ height: '100%', overflow: 'auto' }} role="alert">
      <Empty
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
      </Empty>
    </div>
  )
}
