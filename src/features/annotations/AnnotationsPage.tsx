import { NativeSelect } from '@mantine/core'
import { Suspense } from 'react'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { paths } from '../../paths.ts'
import { NoApp } from '../../run/playground/NoApp.tsx'
import { part } from '../../ui/part.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Annotations.module.css'
import { AnnotationList } from './AnnotationList.tsx'
import { ListActions } from './ListActions.tsx'
import { useNavigate } from 'react-router'
import { useWords } from '../../ui/words.ts'
import { annotationsWords } from './messages.ts'
import { useMay } from '../../wire/useMay.ts'
import { contract } from '#contract/index.ts'

const ImportAnnotations = part(async () => (await import('./ImportAnnotations.tsx')).ImportAnnotations)
const ReplyView = part(async () => (await import('./ReplyView.tsx')).ReplyView)
const ReviewQueue = part(async () => (await import('./ReviewQueue.tsx')).ReviewQueue)

const VIEWS = ['list', 'review', 'reply', 'import'] as const

/** `/annotations?app=`: the annotations of a chat or completion app, the turns that may become some, annotation reply. */
export function AnnotationsPage() {
  const t = useWords(annotationsWords)
  const here = useWorkspace()
  const navigate = useNavigate()
  const { get } = useListState()
  const { workspace } = here
  const apps = [...here.keysOf('chat'), ...here.keysOf('completion')]
  const app = apps.find(({ id }) => id === get('app')) ?? apps[0]
  const may = useMay()
  // An import is a batch, for those who may run one.
  const views = VIEWS.filter((one) => one !== 'import' || may(contract.console.createBatch))
  const view = views.find((one) => one === get('view')) ?? 'list'
  if (!workspace || !app)
    return (
      <NoApp
        title={t('title')}
        here={here}
        listing={t('listWorkspaces')}
        missing={t(workspace ? 'noApp' : 'noWorkspace')}
        why={workspace ? t('noAppWhy', { workspace: workspace.name }) : t('noWorkspaceWhy')}
      />
    )
  const go = (to: { app?: string; view?: string }) =>
    void navigate(
      paths.annotations({ workspace: workspace.id, app: app.id, view: view === 'list' ? null : view, ...to }),
    )
  return (
    <Page
      title={t('title')}
      beside={
        <NativeSelect
          aria-label={t('app')}
          value={app.id}
          data={apps.map(({ id, label }) => ({ value: id, label }))}
          onChange={(event) => go({ app: event.currentTarget.value })}
        />
      }
      actions={view === 'list' ? <ListActions workspace={workspace.id} app={app} /> : null}
      toolbar={
        <SegmentedControl
          size="xs"
          className={classes.views}
          aria-label={t('view')}
          value={view}
          onChange={(to) => go({ view: to === 'list' ? '' : to })}
          data={views.map((value) => ({ value, label: t(`views.${value}`) }))}
        />
      }
    >
      <title>{`${t('title')} · ${app.label} · Loupe`}</title>
      <Suspense fallback={<SkeletonRows rows={6} height={40} />}>
        {view === 'list' ? <AnnotationList key={app.id} workspace={workspace.id} app={app} /> : null}
        {view === 'review' ? <ReviewQueue key={app.id} workspace={workspace.id} app={app} /> : null}
        {view === 'reply' ? <ReplyView key={app.id} workspace={workspace} app={app} /> : null}
        {view === 'import' ? <ImportAnnotations key={app.id} workspace={workspace.id} app={app} /> : null}
      </Suspense>
    </Page>
  )
}
