import { Box, Button, Menu, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { paths } from '#domain/paths.ts'
import { batchEndpoints } from '#contract/console/batches.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { NoApp } from '../playground/inputsApp/NoApp.tsx'
import { lazyWithPreload } from '../../components/layout/lazyWithPreload.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { notify } from '../../components/overlays/notify.ts'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { AnnotationList } from './AnnotationList.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { annotationMessages } from './messages.ts'
import { usePermission } from '../../client/usePermission.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ANNOTATION_EXPORT_FORMATS, useAnnotationExport } from './annotationExport.ts'
import { Can } from '../../client/Can.tsx'

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
          maw="100%"
          style={{ overflowX: 'auto' }}
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

/** Actions on the list as a whole. */
function AnnotationListActions({ workspace, app }: { workspace: string; app: Key }) {
  const t = useMessages(annotationMessages)
  const { set } = useSearchParamState()
  const { progress, problem, run } = useAnnotationExport(workspace, app, (count) =>
    notify(t(app.offers.includes('listAnnotations') ? 'exported' : 'exportedSeen', { count })),
  )
  return (
    <>
      {progress ? (
        <Text span fz="sm" c="dimmed" role="status">
          {t('exporting', progress)}
        </Text>
      ) : null}
      <Can entry={EXPORT_PERMISSION}>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={14} />} loading={progress !== null}>
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {ANNOTATION_EXPORT_FORMATS.map((format) => (
              <Menu.Item key={format} onClick={() => void run(format)}>
                {t(format === 'csv' ? 'exportCsv' : 'exportJsonl')}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Can>
      <Can entry={annotationEndpoints.create}>
        <Button leftSection={<IconPlus size={14} />} onClick={() => set({ annotation: 'new' })}>
          {t('new')}
        </Button>
      </Can>
      {problem ? (
        <Box pos="absolute" top={56} right={16} maw="min(480px, calc(100% - 32px))" style={{ zIndex: 2 }}>
          <ProblemAlert problem={problem} action={t('exportWhat')} />
        </Box>
      ) : null}
    </>
  )
}
