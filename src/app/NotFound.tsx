import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { paths } from '../paths.ts'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'

/** An address that belongs to no screen. */
export function NotFound() {
  const t = useTranslations('shell')
  const { pathname } = useLocation()
  return (
    <Page title={t('notFound')}>
      <Empty
        title={t('notFound')}
        actions={
          <Button component={Link} to={paths.chat()}>
            {t('toChat')}
          </Button>
        }
      >
        {t('notFoundWhy', { path: pathname.slice(0, 200) })}
      </Empty>
    </Page>
  )
}
