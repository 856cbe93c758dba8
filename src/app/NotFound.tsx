import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { paths } from '../paths.ts'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import { useWords } from '../ui/words.ts'
import { shellWords } from './messages.ts'

/** An address that belongs to no screen. */
export function NotFound() {
  const t = useWords(shellWords)
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
