import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { boardMessages } from './messages.ts'

/** In place of a board that is not kept (any more). */
export function BoardNotFound({ board_id }: { board_id: string }) {
  const t = useMessages(boardMessages)
  return (
    <Page title={t('board')} breadcrumbs={<Link to={paths.compare()}>{t('compare')}</Link>}>
      <EmptyState
        title={t('noBoard', { id: board_id.slice(0, 80) })}
        actions={
          <Button component={Link} to={paths.compare()}>
            {t('toBoards')}
          </Button>
        }
      >
        {t('noBoardText')}
      </EmptyState>
    </Page>
  )
}
