import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useRouteError } from 'react-router'
import { useTranslations } from 'use-intl'
import { Empty } from '../ui/Empty.tsx'

/** A screen that has failed says so in its place; the rest of the console stays. */
export function Crash() {
  const t = useTranslations('shell')
  const error = useRouteError()
  return (
    <main style={{ height: '100%', overflow: 'auto' }}>
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
    </main>
  )
}
