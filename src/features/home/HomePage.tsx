import { Button, NativeSelect } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { BarCard } from './BarCard.tsx'
import classes from './Home.module.css'
import { LastRuns } from './LastRuns.tsx'
import { LineCard } from './LineCard.tsx'
import { homeWords } from './messages.ts'
import { NeedsALook } from './NeedsALook.tsx'
import { WorkspaceCard } from './WorkspaceCard.tsx'
import { May } from '../../wire/May.tsx'

const SPANS = [7, 14, 30, 90]
const SPAN = 14
/** Milliseconds between looks: sums change slowly, what needs a look and the last runs do not. */
const POLL_FIGURES = 30_000
const POLL = 5_000

/** `/`: the workspaces with their health, what their runs come to, the last runs, and what needs a look. */
export function HomePage() {
  const t = useWords(homeWords)
  const list = useListState()
  const { workspaces, workspace, isLoading, problem, retry } = useWorkspace()
  const days = SPANS.find((span) => String(span) === list.get('days')) ?? SPAN
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  const figures = useRead(contract.console.readFigures, { query: { days, zone } }, { poll: POLL_FIGURES })
  const attention = useRead(contract.console.readAttention, { query: {} }, { poll: POLL })
  const keys = workspaces.flatMap((one) => one.keys)
  const runs = attention.data?.runs
  const isNew = runs?.length === 0
  return (
    <Page
      title={t('title')}
      beside={<span className={classes.today}>{t('allWorkspaces', { day: TODAY.format(new Date()) })}</span>}
      actions={
        <>
          <NativeSelect
            aria-label={t('span')}
            value={String(days)}
            data={SPANS.map((span) => ({ value: String(span), label: t('lastDays', { days: span }) }))}
            onChange={(event) => list.set({ days: event.currentTarget.value })}
          />
          <May entry={contract.chat.send}>
            <Button
              leftSection={<IconMessagePlus size={15} />}
              component={Link}
              to={paths.chat(workspace ? { workspace: workspace.id } : {})}
            >
              {t('newChat')}
            </Button>
          </May>
        </>
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      <div className={classes.home}>
        <section aria-label={t('workspaces')}>
          <h2 className={classes.heading}>{t('workspaces')}</h2>
          {problem ? <ProblemNote problem={problem} what={t('listWorkspaces')} onRetry={retry} /> : null}
          <div className={classes.workspaces} aria-busy={isLoading}>
            {workspaces.map((one) => (
              <WorkspaceCard
                key={one.id}
                workspace={one}
                sums={figures.data?.by_app.filter((sum) => sum.workspace === one.id)}
                drift={attention.data && (attention.data.drift.find((news) => news.workspace === one.id)?.count ?? 0)}
              />
            ))}
          </div>
        </section>
        {figures.error ? (
          <ProblemNote problem={figures.error.problem} what={t('readFigures')} onRetry={() => void figures.refetch()} />
        ) : null}
        {isNew ? (
          <Empty
            title={t('emptyTitle')}
            actions={
              <May entry={contract.chat.send}>
                <Button component={Link} to={paths.chat(workspace ? { workspace: workspace.id } : {})}>
                  {t('ask')}
                </Button>
              </May>
            }
          >
            {t('emptyText')}
          </Empty>
        ) : (
          <div className={classes.charts}>
            <BarCard figures={figures.data} keys={keys} days={days} />
            <LineCard figures={figures.data} keys={keys} days={days} />
          </div>
        )}
        {attention.error ? (
          <ProblemNote
            problem={attention.error.problem}
            what={t('readAttention')}
            onRetry={() => void attention.refetch()}
          />
        ) : null}
        {isNew ? null : (
          <div className={classes.below}>
            <LastRuns runs={runs} keys={keys} />
            <NeedsALook attention={attention.data} workspaces={workspaces} />
          </div>
        )}
      </div>
    </Page>
  )
}

const TODAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
