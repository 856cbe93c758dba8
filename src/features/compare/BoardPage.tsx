import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { BoardDeed, BoardMenu } from './BoardMenu.tsx'
import classes from './Board.module.css'
import { BoardDesk } from './BoardDesk.tsx'
import { compareWords } from './messages.ts'
import { NoBoard } from './NoBoard.tsx'
import { useBoard } from './useBoard.ts'

/** `/compare/:board_id`: one board. */
export function BoardPage() {
  const { board_id = '' } = useParams()
  const id = Id.safeParse(board_id)
  return id.success ? <KnownBoard key={id.data} board_id={id.data} /> : <NoBoard board_id={board_id} />
}

function KnownBoard({ board_id }: { board_id: string }) {
  const t = useWords(compareWords)
  const navigate = useNavigate()
  const here = useWorkspace()
  const board = useBoard(board_id)
  const [asks, setAsks] = useState<'name' | 'delete' | null>(null)
  const { kept, problem, unsaved } = board
  const workspace = kept?.workspace ?? here.workspace?.id
  if (problem?.status === 404) return <NoBoard board_id={board_id} />
  return (
    <Page
      title={kept?.name ?? t('board')}
      crumbs={
        <>
          <Link to={paths.compare({ workspace })}>{t('title')}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      actions={
        kept ? (
          <>
            <CopyButton value={new URL(paths.board(board_id, { workspace: kept.workspace }), location.href).href}>
              {({ copied, copy }) => (
                <Tooltip label={t(copied ? 'linkCopied' : 'copyLink')}>
                  <ActionIcon aria-label={t('copyLink')} onClick={copy}>
                    {copied ? <IconCheck size={16} /> : <IconLink size={16} />}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
            <BoardMenu
              kept={kept}
              onAsk={setAsks}
              onCopied={({ id }) => void navigate(paths.board(id, { workspace: kept.workspace }))}
            />
          </>
        ) : null
      }
    >
      <title>{`${kept?.name ?? t('board')} · Loupe`}</title>
      {kept && asks ? (
        <BoardDeed
          kept={kept}
          asks={asks}
          onDone={(deleted) => {
            setAsks(null)
            if (deleted) void navigate(paths.compare({ workspace: kept.workspace }))
          }}
        />
      ) : null}
      {unsaved ? (
        <div className={classes.problem}>
          <ProblemNote problem={unsaved} what={t('saveWhat')} onRetry={() => void board.save()} />
        </div>
      ) : null}
      {problem || here.problem ? (
        <div className={classes.problem}>
          {problem ? <ProblemNote problem={problem} what={t('readWhat')} onRetry={board.retry} /> : null}
          {here.problem ? <ProblemNote problem={here.problem} what={t('listWorkspaces')} onRetry={here.retry} /> : null}
        </div>
      ) : null}
      {kept && !here.isLoading ? (
        <BoardDesk kept={board} board_id={board_id} workspace={kept.workspace} workspaces={here.workspaces} />
      ) : problem ? null : (
        <SkeletonRows rows={5} height={72} />
      )}
    </Page>
  )
}
