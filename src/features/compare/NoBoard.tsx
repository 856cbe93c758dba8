import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { useWords } from '../../ui/words.ts'
import { compareWords } from './messages.ts'

/** In place of a board that is not kept (any more). */
export function NoBoard({ board_id }: { board_id: string }) {
  const t = useWords(compareWords)
  return (
    <Page title={t('board')} crumbs={<Link to={paths.compare()}>{t('title')}</Link>}>
      <Empty
        title={t('noBoard', { id: board_id.slice(0, 80) })}
        actions={
          <Button component={Link} to={paths.compare()}>
            {t('toBoards')}
          </Button>
        }
      >
        {t('noBoardText')}
      </Empty>
    </Page>
  )
}
