import { contract } from '#contract/index.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { appOf } from './apps.ts'
import classes from './Board.module.css'
import { BoardsTable } from './BoardsTable.tsx'
import { CreateBoard } from './CreateBoard.tsx'
import { compareWords } from './messages.ts'
import { useMay } from '../../wire/useMay.ts'

/** `/compare`: the boards of the workspace; with a run or an app in the URL, where that is to stand. */
export function ComparePage() {
  const t = useWords(compareWords)
  const { get } = useListState()
  const { workspace, workspaces, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useRead(
    contract.console.listKept,
    { query: { kind: 'board', workspace: workspace?.id ?? '' } },
    { enabled: Boolean(workspace) },
  )
  const boards = list.data?.data
  const problem = workspaceProblem ?? (boards ? undefined : list.error?.problem)
  const run = get('run') ?? null
  const app = appOf(workspaces, get('with') ?? null)
  const mayKeep = useMay()(contract.console.createKept)
  const wanted = mayKeep && (run !== null || app !== null) ? { run, app: app?.key.id ?? null } : null
  const tags = { run: () => <code>{run?.slice(0, 8)}</code>, app: app?.key.label ?? '' }
  return (
    <Page
      title={t('title')}
      beside={
        boards && boards.length > 0 ? <span className={classes.count}>{boards.length.toLocaleString('en')}</span> : null
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      {problem ? (
        <div className={classes.problem}>
          <ProblemNote
            problem={problem}
            what={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
            onRetry={() => (workspaceProblem ? retry() : void list.refetch())}
          />
        </div>
      ) : null}
      {!workspace && !isLoading && !workspaceProblem ? (
        <Empty title={t('noWorkspace')}>{t('noWorkspaceText')}</Empty>
      ) : null}
      {workspace && !problem && mayKeep ? (
        <div className={classes.create}>
          {wanted ? (
            <p className={classes.wanted} role="status">
              {t.rich(run === null ? 'putApp' : app === null ? 'putRun' : 'putBoth', tags)}
            </p>
          ) : null}
          <CreateBoard
            key={`${run}${app?.key.id}`}
            workspace={workspace.id}
            wanted={wanted}
            name={
              run !== null
                ? t('comparedRun', { id: run.slice(0, 8) })
                : app
                  ? t('comparedApp', { app: app.key.label }).slice(0, 120)
                  : ''
            }
          />
        </div>
      ) : null}
      {boards?.length === 0 ? <Empty title={t('emptyTitle')}>{t('emptyText')}</Empty> : null}
      {(isLoading || workspace) && !problem && boards?.length !== 0 ? (
        <BoardsTable boards={boards} workspaces={workspaces} wanted={wanted} />
      ) : null}
    </Page>
  )
}
