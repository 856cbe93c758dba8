import { ActionIcon, Box, Button, CopyButton } from '@mantine/core'
import { IconCheck, IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import { paths } from '#domain/paths.ts'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { Tooltip } from '../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { BoardMenu, RenameBoard } from './BoardMenu.tsx'
import { BoardWorkspace } from './BoardWorkspace.tsx'
import { boardMessages } from './messages.ts'
import { useBoard } from './useBoard.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'

/** `/compare/:board_id`: one board. */
export function BoardPage() {
  const { board_id = '' } = useParams()
  const id = Id.safeParse(board_id)
  return id.success ? <BoardPageContent board_id={id.data} /> : <BoardNotFound board_id={board_id} />
}

function BoardPageContent({ board_id }: { board_id: string }) {
  const t = useMessages(boardMessages)
  const navigate = useNavigate()
  const currentWorkspace = useWorkspace()
  const board = useBoard(board_id)
  const [isRenaming, setRenaming] = useState(false)
  const { savedItem: savedBoard, problem, unsaved } = board
  const workspace = savedBoard?.workspace ?? currentWorkspace.workspace?.id
  if (problem?.status === 404) return <BoardNotFound board_id={board_id} />
  return (
    <Page
      title={savedBoard?.name ?? t('board')}
      breadcrumbs={
        <>
          <Link to={paths.compare({ workspace })}>{t('compare')}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      actions={
        savedBoard ? (
          <>
            <CopyButton value={new URL(paths.board(board_id, { workspace: savedBoard.workspace }), location.href).href}>
              {({ copied, copy }) => (
                <Tooltip label={t(copied ? 'copied' : 'copyLink')}>
                  <ActionIcon aria-label={t('copyLink')} onClick={copy}>
                    {copied ? <IconCheck size={16} /> : <IconLink size={16} />}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
            <BoardMenu
              savedBoard={savedBoard}
              onRename={() => setRenaming(true)}
              onCopied={({ id }) => void navigate(paths.board(id, { workspace: savedBoard.workspace }))}
              onDeleted={() => void navigate(paths.compare({ workspace: savedBoard.workspace }))}
            />
          </>
        ) : null
      }
    >
      <title>{`${savedBoard?.name ?? t('board')} · Loupe`}</title>
      {savedBoard && isRenaming ? <RenameBoard savedBoard={savedBoard} onDone={() => setRenaming(false)} /> : null}
      {unsaved ? (
        <Box maw={720} p="lg">
          <ProblemAlert problem={unsaved} action={t('saveWhat')} onRetry={() => void board.save()} />
        </Box>
      ) : null}
      {problem || currentWorkspace.problem ? (
        <Box maw={720} p="lg">
          {problem ? <ProblemAlert problem={problem} action={t('readWhat')} onRetry={board.retry} /> : null}
          {currentWorkspace.problem ? (
            <ProblemAlert
              problem={currentWorkspace.problem}
              action={t('listWorkspaces')}
              onRetry={currentWorkspace.retry}
            />
          ) : null}
        </Box>
      ) : null}
      {savedBoard && !currentWorkspace.isLoading ? (
        <BoardWorkspace
          savedBoard={board}
          board_id={board_id}
          workspace={savedBoard.workspace}
          workspaces={currentWorkspace.workspaces}
        />
      ) : problem ? null : (
        <SkeletonRows rows={5} height={72} />
      )}
    </Page>
  )
}

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
