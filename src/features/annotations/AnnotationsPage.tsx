import { NativeSelect, SegmentedControl } from '@mantine/core'
import { Suspense } from 'react'
import { paths } from '#domain/paths.ts'
import { NoApp } from '../playground/inputsApp/NoApp.tsx'
import { lazyWithPreload } from '../../components/layout/lazyWithPreload.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import classes from './Annotations.module.css'
import { AnnotationList } from './AnnotationList.tsx'
import { AnnotationListActions } from './AnnotationListActions.tsx'
import { useNavigate } from 'react-router'
import { batchEndpoints } from '#contract/console/batches.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { annotationMessages } from './messages.ts'
import { usePermission } from '../../client/usePermission.ts'

const LazyImportAnnotations = lazyWithPreload(
  async () => (await import('./import/ImportAnnotations.tsx')).ImportAnnotations,
)
const LazyAnnotationReplyView = lazyWithPreload(
  async () => (await import('./reply/AnnotationReplyView.tsx')).AnnotationReplyView,
)
const LazyReviewView = lazyWithPreload(async () => (await import('./review/ReviewView.tsx')).ReviewView)

const ANNOTATION_VIEWS = ['list', 'review', 'reply', 'import'] as const

/** `/annotations?app=`: annotations of a chat or completion app, the review queue, annotation reply. */
export function AnnotationsPage() {
  const t = useMessages(annotationMessages)
  const currentWorkspace = useWorkspace()
  const navigate = useNavigate()
  const { get } = useSearchParamState()
  const { workspace } = currentWorkspace
  // The routes of annotations take the key of any app; a workflow is listed where its platform offers them.
  const apps = [
    ...currentWorkspace.getKeys('chat'),
    ...currentWorkspace.getKeys('completion'),
    ...currentWorkspace.getKeys('workflow').filter(({ offers }) => offers.includes('listAnnotations')),
  ]
  const app = apps.find(({ id }) => id === get('app')) ?? apps[0]
  const can = usePermission()
  // An import is a batch and requires that permission.
  const views = ANNOTATION_VIEWS.filter((one) => one !== 'import' || can(batchEndpoints.createBatch))
  const view = views.find((one) => one === get('view')) ?? 'list'
  if (!workspace || !app)
    return (
      <NoApp
        title={t('title')}
        currentWorkspace={currentWorkspace}
        keyKinds={['chat', 'completion']}
        problemContext={t('listWorkspaces')}
        emptyTitle={t(workspace ? 'noApp' : 'noWorkspace')}
        emptyText={workspace ? t('noAppWhy', { workspace: workspace.name }) : t('noWorkspaceText')}
      />
    )
  const showView = (to: { app?: string; view?: string }) =>
    void navigate(
      paths.annotations({ workspace: workspace.id, app: app.id, view: view === 'list' ? null : view, ...to }),
    )
  return (
    <Page
      title={t('title')}
      titleSuffix={
        <NativeSelect
          aria-label={t('app')}
          value={app.id}
          data={apps.map(({ id, label }) => ({ value: id, label }))}
          onChange={(event) => showView({ app: event.currentTarget.value })}
        />
      }
      actions={view === 'list' ? <AnnotationListActions workspace={workspace.id} app={app} /> : null}
      toolbar={
        <SegmentedControl
          size="xs"
          className={classes.views}
          aria-label={t('view')}
          value={view}
          onChange={(to) => showView({ view: to === 'list' ? '' : to })}
          data={views.map((value) => ({ value, label: t(`views.${value}`) }))}
        />
      }
    >
      <title>{`${t('title')} · ${app.label} · Loupe`}</title>
      <Suspense fallback={<SkeletonRows rows={6} height={40} />}>
        {view === 'list' ? <AnnotationList key={app.id} workspace={workspace.id} app={app} /> : null}
        {view === 'review' ? <LazyReviewView key={app.id} workspace={workspace.id} app={app} /> : null}
        {view === 'reply' ? <LazyAnnotationReplyView key={app.id} workspace={workspace} app={app} /> : null}
        {view === 'import' ? <LazyImportAnnotations key={app.id} workspace={workspace.id} app={app} /> : null}
      </Suspense>
    </Page>
  )
}
