import { Button } from '@mantine/core'
import { IconGitCompare, IconPlayerTrackNext } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import { paths } from '../../paths.ts'
import { CopyCurl } from '../../run/CopyCurl.tsx'
import { requestOf } from '../../run/curl.ts'
import { Inspector } from '../../run/Inspector.tsx'
import { InspectorBar } from '../../run/InspectorBar.tsx'
import { InspectorPane } from '../../run/InspectorPane.tsx'
import { TABS } from '../../run/tabs.ts'
import { useInspectorPane } from '../../run/useInspectorPane.ts'
import { useTurn } from '../../run/useTurn.ts'
import { IdChip } from '../../ui/IdChip.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useLetterKeys } from '../../ui/useLetterKeys.ts'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { runs } from '../../wire/useRun.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { Comparison } from './Comparison.tsx'
import { runsWords } from './messages.ts'
import { NoRun } from './NoRun.tsx'
import { Replay } from './Replay.tsx'
import classes from './Run.module.css'
import { RunResult } from './RunResult.tsx'
import { RunTotals } from './RunTotals.tsx'
import { useMay } from '../../wire/useMay.ts'
import { ENTRIES } from '../../run/entries.ts'

/** `/runs/:run_id`: one run of any kind, replayed (`?replay=1`) or beside another one (`?with=`). */
export function RunPage() {
  const { run_id = '' } = useParams()
  const id = Id.safeParse(run_id)
  return id.success ? (
    <KnownRun key={id.data.toLowerCase()} run_id={id.data.toLowerCase()} />
  ) : (
    <NoRun run_id={run_id} />
  )
}

function KnownRun({ run_id }: { run_id: string }) {
  const t = useWords(runsWords)
  const { get, set } = useListState()
  const { workspaces } = useWorkspace()
  const { turn, run, isLoading, problem, retry } = useTurn(run_id)
  const pane = useInspectorPane('run')
  const tab = TABS.find((one) => one === get('tab')) ?? TABS[0]
  const source = Number(get('source') ?? NaN)
  const chosen = Number.isInteger(source) ? source : null
  const view = runs.view(run_id)
  const workspace = workspaces.find(({ id, keys }) =>
    run ? id === run.workspace : keys.some((key) => key.id === view?.sent?.key),
  )
  const app = workspace?.keys.find(({ id }) => id === (run?.key ?? view?.sent?.key))
  const parent = run?.parent ?? view?.sent?.parent ?? null
  const other = get('with')
  const may = useMay()
  const mayReplay = turn ? may(ENTRIES[turn.entry]) : false
  const isReplaying = mayReplay && get('replay') !== undefined && !other

  const inspect = (change: Parameters<typeof set>[0]) => {
    // The parts of the run stand where a chosen node does.
    if (Object.keys(change).length > 0) set({ node: null, ...change }, { replace: true })
    pane.open()
  }
  useLetterKeys([
    [']', pane.toggle],
    ['r', () => (mayReplay ? set({ replay: 1, with: null }) : undefined)],
    ...TABS.map((one, index): [string, () => void] => [String(index + 1), () => inspect({ tab: one })]),
  ])
  if (problem?.status === 404) return <NoRun run_id={run_id} />
  const go = (change: { with?: string | null; replay?: string | null }) =>
    paths.run(run_id, { workspace: workspace?.id, tab: get('tab') ?? null, frame: get('frame') ?? null, ...change })
  return (
    <Page
      title={<span className={classes.mono}>{t('runName', { id: run_id.slice(0, 8) })}</span>}
      crumbs={
        <>
          <Link to={paths.runs({ workspace: workspace?.id })}>{t('title')}</Link>
          <span>/</span>
          {app ? (
            <>
              <Link to={paths.runs({ workspace: workspace?.id, app: app.id })}>{app.label}</Link>
              <span>/</span>
            </>
          ) : null}
        </>
      }
      beside={
        <>
          {turn ? <StateBadge word={turn.state === 'unsent' ? 'not sent' : turn.state} /> : null}
          <span className={classes.id}>
            <IdChip id={run_id} whole />
          </span>
        </>
      }
      actions={
        turn ? (
          <>
            {other || isReplaying ? (
              <Button variant="default" component={Link} to={go({})}>
                {t('backToResult')}
              </Button>
            ) : null}
            {other ? null : (
              <Button
                variant="default"
                leftSection={<IconGitCompare size={14} />}
                component={Link}
                to={go({ with: parent ?? 'choose' })}
              >
                {t(parent ? 'compareParent' : 'compare')}
              </Button>
            )}
            <span className={classes.curl}>
              <CopyCurl {...requestOf(turn)} base_url={workspace?.base_url ?? null} />
            </span>
            {isReplaying || !app || !mayReplay ? null : (
              <Button leftSection={<IconPlayerTrackNext size={14} />} component={Link} to={go({ replay: '1' })}>
                {t('replay')}
              </Button>
            )}
          </>
        ) : null
      }
      totals={turn ? <RunTotals turn={turn} run={run} parent={parent} /> : undefined}
    >
      <title>{`${t('runName', { id: run_id.slice(0, 8) })} · Loupe`}</title>
      <div className={classes.desk}>
        <div className={classes.main} tabIndex={0} role="region" aria-label={t('run')}>
          {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
          {problem ? <ProblemNote problem={problem} what={t('readWhat')} onRetry={retry} /> : null}
          {turn && other ? (
            <Comparison run_id={run_id} turn={turn} row={run} other={other} workspace={workspace?.id ?? ''} />
          ) : null}
          {turn && isReplaying && app ? (
            <Replay key={run_id} run_id={run_id} turn={turn} app={app} workspace={workspace?.id ?? ''} />
          ) : null}
          {turn && !other && !isReplaying ? (
            <RunResult
              turn={turn}
              run={run}
              app={app ?? null}
              parent={parent}
              workspace={workspace ?? null}
              source={chosen}
              onInspect={inspect}
              replayPath={go({ replay: '1' })}
            />
          ) : null}
        </div>
        {!pane.hasRoom && turn ? <InspectorBar turn={turn} onOpen={pane.open} /> : null}
        <InspectorPane name="run" pane={pane}>
          <Inspector
            run_id={run_id}
            run={run}
            workspace={workspace?.id ?? ''}
            tab={tab}
            source={chosen}
            onTab={(one) => set({ tab: one }, { replace: true })}
            onClose={pane.toggle}
          />
        </InspectorPane>
      </div>
    </Page>
  )
}
