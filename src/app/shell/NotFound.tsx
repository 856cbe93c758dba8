import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { paths } from '#domain/paths.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { shellMessages } from './messages.ts'

/** Shown for a URL without a screen. */
export function NotFound() {
  const t = useMessages(shellMessages)
  const { pathname } = useLocation()
  return (
    <Page title={t('notFound')}>
      <EmptyState
        title={t('notFound')}
        actions={
          <Button component={Link} to={paths.home()}>
            {t('toHome')}
          </Button>
        }
      >
        {t('notFoundWhy', { path: pathname.slice(0, 200) })}
      </EmptyState>
    </Page>
  )
}
