import { Button } from '@mantine/core'
import { IconGitCompare, IconPlayerTrackNext } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { CopyCurl, toCurlRequest } from '../inspector/CopyCurl.tsx'
import { RunInspector } from '../inspector/RunInspector.tsx'
import { InspectorBar } from '../inspector/InspectorBar.tsx'
import { InspectorPane, useInspectorPane } from '../inspector/InspectorPane.tsx'
import { INSPECTOR_TABS, parseInspectorTab } from '../inspector/inspectorTabs.ts'
import type { Turn } from '../turn.ts'
import { useTurn } from '../useTurn.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runStore } from '../../../client/useRun.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { RunMarks } from '../callList/RunMarks.tsx'
import { RunComparison } from '../compare/RunComparison.tsx'
import { runListMessages } from '../list/messages.ts'
import { RunNotFound } from './RunNotFound.tsx'
import { RunReplay } from '../replay/RunReplay.tsx'
import classes from './Run.module.css'
import { RunResult } from './RunResult.tsx'
import { RunTotals } from './RunTotals.tsx'
import { usePermission } from '../../../client/usePermission.ts'
import { RUN_ENTRIES } from '../runEntries.ts'

/** `/runs/:run_id`: one run of any kind, as a replay (`?replay=1`) or compared with another one (`?with=`). */
export function RunPage() {
  const { run_id = '' } = useParams()
  const id = Id.safeParse(run_id)
  return id.success ? <RunPageContent run_id={id.data.toLowerCase()} /> : <RunNotFound run_id={run_id} />
}

function RunPageContent({ run_id }: { run_id: string }) {
  const t = useMessages(runListMessages)
  const { get, set } = useSearchParamState()
  const { workspaces } = useWorkspace()
  const { turn, run, isLoading, problem, retry } = useTurn(run_id)
  const pane = useInspectorPane('run')
  const source = Number(get('source') ?? NaN)
  const selectedNode = Number.isInteger(source) ? source : null
  const view = runStore.view(run_id)
  const workspace = workspaces.find(({ id, keys }) =>
    run ? id === run.workspace : keys.some((key) => key.id === view?.sent?.key),
  )
  const app = workspace?.keys.find(({ id }) => id === (run?.key ?? view?.sent?.key))
  const parent = run?.parent ?? view?.sent?.parent ?? null
  const other = get('with')
  const shownId = getPlatformRunId(turn) ?? run_id
  const can = usePermission()
  const canReplay = turn ? can(RUN_ENTRIES[turn.entry]) : false
  const isReplaying = canReplay && get('replay') !== undefined && !other

  const inspect = (change: Parameters<typeof set>[0]) => {
    // The tabs of the run share their place with a selected node.
    if (Object.keys(change).length > 0) set({ node: null, ...change }, { replace: true })
    pane.open()
  }
  useShortcuts([
    [']', pane.toggle],
    ['r', () => (canReplay ? set({ replay: 1, with: null }) : undefined)],
    ...INSPECTOR_TABS.map((one, index): [string, () => void] => [String(index + 1), () => inspect({ tab: one })]),
  ])
  if (problem?.status === 404) return <RunNotFound run_id={run_id} />
  const toPath = (change: { with?: string | null; replay?: string | null }) =>
    paths.run(run_id, { workspace: workspace?.id, tab: get('tab') ?? null, frame: get('frame') ?? null, ...change })
  return (
    <Page
      title={<code>{t('runName', { id: shownId.slice(0, 8) })}</code>}
      breadcrumbs={
        <>
          <Link to={paths.runs({ workspace: workspace?.id })}>{t('runs')}</Link>
          <span>/</span>
          {app ? (
            <>
              <Link to={paths.runs({ workspace: workspace?.id, app: app.id })}>{app.label}</Link>
              <span>/</span>
            </>
          ) : null}
        </>
      }
      titleSuffix={
        <>
          {turn ? <StatusBadge status={turn.state === 'unsent' ? 'not sent' : turn.state} /> : null}
          <RunIds run_id={run_id} turn={turn} />
        </>
      }
      actions={
        turn ? (
          <RunPageActions
            turn={turn}
            workspace={workspace}
            other={other}
            parent={parent}
            isReplaying={isReplaying}
            canReplay={canReplay && app !== undefined}
            toPath={toPath}
          />
        ) : null
      }
      totals={turn ? <RunTotals turn={turn} run={run} parent={parent} /> : undefined}
    >
      <title>{`${t('runName', { id: shownId.slice(0, 8) })} · Loupe`}</title>
      <div className={classes.desk}>
        <div className={classes.main} tabIndex={0} role="region" aria-label={t('run')}>
          {run && !other ? <RunMarks run={run} /> : null}
          {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
          {problem ? <ProblemAlert problem={problem} action={t('loadThisRun')} onRetry={retry} /> : null}
          {turn && other ? (
            <RunComparison run_id={run_id} turn={turn} row={run} other={other} workspace={workspace?.id ?? ''} />
          ) : null}
          {turn && isReplaying && app ? (
            <RunReplay key={run_id} run_id={run_id} turn={turn} app={app} workspace={workspace?.id ?? ''} />
          ) : null}
          {turn && !other && !isReplaying ? (
            <RunResult
              turn={turn}
              run={run}
              app={app ?? null}
              parent={parent}
              workspace={workspace ?? null}
              source={selectedNode}
              onInspect={inspect}
              replayPath={toPath({ replay: '1' })}
            />
          ) : null}
        </div>
        {!pane.fitsBeside && turn ? <InspectorBar turn={turn} onOpen={pane.open} /> : null}
        <InspectorPane name="run" pane={pane}>
          <RunInspector
            run_id={run_id}
            run={run}
            workspace={workspace?.id ?? ''}
            tab={parseInspectorTab(get('tab'))}
            source={selectedNode}
            onTab={(one) => set({ tab: one }, { replace: true })}
            onClose={pane.toggle}
          />
        </InspectorPane>
      </div>
    </Page>
  )
}

/** The platform's id of an adopted run, which the person knows; null for a run started here. */
const getPlatformRunId = (turn: Turn | null): string | null =>
  turn?.answer.run.told?.elsewhere ? turn.answer.run.workflow_run_id : null

/** The ids of the run, starting with the one that the person knows. */
function RunIds({ run_id, turn }: { run_id: string; turn: Turn | null }) {
  const t = useMessages(runListMessages)
  const platformId = getPlatformRunId(turn)
  if (platformId === null)
    return (
      <span className={classes.id}>
        <IdChip id={run_id} isFull />
      </span>
    )
  return (
    <span className={classes.id}>
      <span title={t('platformRunId')}>
        <IdChip id={platformId} isFull />
      </span>{' '}
      <small>
        {t('ownRunId')} <IdChip id={run_id} />
      </small>
    </span>
  )
}

interface RunPageActionsProps {
  turn: Turn
  workspace: Workspace | undefined
  /** The run it is compared with, and its parent. */
  other: string | undefined
  parent: string | null
  isReplaying: boolean
  canReplay: boolean
  toPath: (change: { with?: string | null; replay?: string | null }) => string
}

function RunPageActions({ turn, workspace, other, parent, isReplaying, canReplay, toPath }: RunPageActionsProps) {
  const t = useMessages(runListMessages)
  return (
    <>
      {other || isReplaying ? (
        <Button variant="default" component={Link} to={toPath({})}>
          {t('backToResult')}
        </Button>
      ) : null}
      {other ? null : (
        <Button
          variant="default"
          leftSection={<IconGitCompare size={14} />}
          component={Link}
          to={toPath({ with: parent ?? 'choose' })}
        >
          {t(parent ? 'compareParent' : 'compare')}
        </Button>
      )}
      <span className={classes.curl}>
        <CopyCurl {...toCurlRequest(turn)} base_url={workspace?.base_url ?? null} />
      </span>
      {isReplaying || !canReplay ? null : (
        <Button leftSection={<IconPlayerTrackNext size={14} />} component={Link} to={toPath({ replay: '1' })}>
          {t('replay')}
        </Button>
      )}
    </>
  )
}
