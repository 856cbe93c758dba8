import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { findApp } from './appOptions.ts'
import classes from './Board.module.css'
import { BoardsTable } from './BoardsTable.tsx'
import { CreateBoard } from './CreateBoard.tsx'
import { boardMessages } from './messages.ts'
import { usePermission } from '../../client/usePermission.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** `/compare`: the boards of the workspace; with a run or an app in the URL, where that is to stand. */
export function BoardsPage() {
  const t = useMessages(boardMessages)
  const { get } = useSearchParamState()
  const { workspace, workspaces, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useRead(
    savedItemEndpoints.listSavedItems,
    { query: { kind: 'board', workspace: workspace?.id ?? '' } },
    { enabled: Boolean(workspace) },
  )
  const boards = list.data?.data
  const problem = workspaceProblem ?? (boards ? undefined : list.error?.problem)
  const run = get('run') ?? null
  const app = findApp(workspaces, get('with') ?? null)
  const canSave = usePermission()(savedItemEndpoints.createSavedItem)
  const addition = canSave && (run !== null || app !== null) ? { run, app: app?.key.id ?? null } : null
  const tags = { run: () => <code>{run?.slice(0, 8)}</code>, app: app?.key.label ?? '' }
  const create =
    workspace && boards && canSave ? (
      <>
        {addition ? (
          <p className={classes.wanted} role="status">
            {t.rich(run === null ? 'putApp' : app === null ? 'putRun' : 'putBoth', tags)}
          </p>
        ) : null}
        <CreateBoard
          key={`${run}${app?.key.id}`}
          workspace={workspace.id}
          addition={addition}
          name={
            run !== null
              ? t('comparedRun', { id: run.slice(0, 8) })
              : app
                ? truncateText(t('comparedApp', { app: app.key.label }), 120)
                : ''
          }
        />
      </>
    ) : null
  return (
    <Page
      title={t('compare')}
      titleSuffix={
        boards && boards.length > 0 ? <span className={classes.count}>{boards.length.toLocaleString('en')}</span> : null
      }
    >
      <title>{`${t('compare')} · Loupe`}</title>
      {problem ? (
        <div className={classes.problem}>
          <ProblemAlert
            problem={problem}
            action={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
            onRetry={() => (workspaceProblem ? retry() : void list.refetch())}
          />
        </div>
      ) : null}
      {!workspace && !isLoading && !workspaceProblem ? (
        <EmptyState title={t('noWorkspace')}>{t('noWorkspaceText')}</EmptyState>
      ) : null}
      {boards?.length === 0 ? (
        <EmptyState title={t('emptyTitle')} actions={create ? <div className={classes.create}>{create}</div> : null}>
          {t('emptyText')}
        </EmptyState>
      ) : null}
      {(isLoading || workspace) && !problem && boards?.length !== 0 ? (
        <>
          {canSave ? <div className={classes.create}>{create}</div> : null}
          <BoardsTable boards={boards} workspaces={workspaces} addition={addition} />
        </>
      ) : null}
    </Page>
  )
}
