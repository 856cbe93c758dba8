import { ActionIcon, Button, Flex, Menu } from '@mantine/core'
import { Suspense, useCallback } from 'react'
import { Link } from 'react-router'
import { IconDots } from '@tabler/icons-react'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ResourceList } from '../../components/layout/ResourceList.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import type { TableColumn } from '../../components/data/Table.tsx'
import { lazyWithPreload } from '../../components/layout/lazyWithPreload.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { AnnotationPane } from './AnnotationPane.tsx'
import { annotationMessages } from './messages.ts'
import { type AnnotationRow, useAnnotations } from './useAnnotations.ts'
import { usePermission } from '../../client/usePermission.ts'
import { useDeleteDialog } from '../../components/overlays/useDeleteDialog.ts'
import { useWrite } from '../../client/query.ts'

const LazyImportResult = lazyWithPreload(async () => (await import('./import/ImportResult.tsx')).ImportResult)

/** The annotations of an app, paginated, with the open one in a pane. */
export function AnnotationList({ workspace, app }: { workspace: string; app: Key }) {
  const t = useMessages(annotationMessages)
  const { get, set } = useSearchParamState()
  const q = get('q')
  const { read, isFromPlatform } = useAnnotations(workspace, app, {
    q,
    page: get('page'),
    limit: get('limit'),
  })
  const { data, error, refetch } = read
  const remove = useWrite(optionalAnnotationEndpoints.deleteAnnotation)
  const openDelete = useDeleteDialog()
  const askDelete = ({ id, question }: AnnotationRow) =>
    openDelete({
      title: t('deleteTitle'),
      children: (
        <p dir="auto">
          <b>{truncateText(question ?? id, 300)}</b>
        </p>
      ),
      lost: [t('deleteLost')],
      kept: [t('deleteKept')],
      confirmLabel: t('deleteDo'),
      cancelLabel: t('cancel'),
      action: t('deleteWhat'),
      run: () => remove.mutateAsync({ key: app.id, params: { annotation_id: id } }),
    })
  const openAnnotation = get('annotation')
  const openPath = (id: string) => {
    const search = new URLSearchParams(location.search)
    search.set('annotation', id)
    return `?${search}`
  }
  const columns = useAnnotationColumns({ workspace, app, openPath, onDelete: askDelete })
  const importId = get('import')
  const refresh = useCallback(() => void refetch(), [refetch])
  return (
    <Flex direction="column" h="100%">
      {importId ? (
        <Suspense>
          <LazyImportResult
            batch_id={importId}
            onAdded={refresh}
            onClose={() => set({ import: null }, { replace: true })}
          />
        </Suspense>
      ) : null}
      <ResourceList<AnnotationRow>
        label={t('title')}
        read={read}
        rows={data?.rows}
        page={data}
        hasPageSize
        action={t('listWhat')}
        search={{ label: t('search'), param: 'q', hasShortcut: true }}
        isFiltered={Boolean(q)}
        refreshedText={(values) => t.rich(isFromPlatform ? 'listedByPlatform' : 'seen', values)}
        problemActions={
          error?.problem.kind === 'invalid' ? (
            <Button variant="default" onClick={() => set({ q: null, limit: null })}>
              {t('firstPage')}
            </Button>
          ) : null
        }
        columns={columns}
        getKey={({ id }) => id}
        isCurrent={({ id }) => id === openAnnotation}
        empty={<NoAnnotations workspace={workspace} app={app} isFromPlatform={isFromPlatform} />}
        noMatch={
          <EmptyState
            title={t('noneTitle')}
            actions={<Button onClick={() => set({ q: null })}>{t('clearSearch')}</Button>}
          >
            {t('noneText', { q: q ?? '' })}
          </EmptyState>
        }
      />
      {openAnnotation ? (
        <AnnotationPane
          key={openAnnotation}
          workspace={workspace}
          app={app}
          annotation_id={openAnnotation === 'new' ? null : openAnnotation}
          row={data?.rows.find(({ id }) => id === openAnnotation) ?? null}
          onClose={() => set({ annotation: null }, { replace: true })}
        />
      ) : null}
    </Flex>
  )
}

interface NoAnnotationsProps {
  workspace: string
  app: Key
  isFromPlatform: boolean
}

function NoAnnotations({ workspace, app, isFromPlatform }: NoAnnotationsProps) {
  const t = useMessages(annotationMessages)
  const { set } = useSearchParamState()
  const can = usePermission()
  return (
    <EmptyState
      title={t('emptyTitle')}
      actions={
        can(annotationEndpoints.create) ? (
          <>
            <Button onClick={() => set({ annotation: 'new' })}>{t('new')}</Button>
            <Button
              variant="default"
              component={Link}
              to={paths.annotations({ workspace, app: app.id, view: 'import' })}
            >
              {t('views.import')}
            </Button>
          </>
        ) : null
      }
    >
      {t(isFromPlatform ? 'emptyListed' : 'emptySeen')}
    </EmptyState>
  )
}

interface AnnotationColumnsInput {
  workspace: string
  app: Key
  openPath: (id: string) => string
  onDelete: (row: AnnotationRow) => void
}

/** The columns of the annotation list, with a menu in each row. */
function useAnnotationColumns({ workspace, app, openPath, onDelete }: AnnotationColumnsInput) {
  const t = useMessages(annotationMessages)
  const can = usePermission()
  const [canEditAnnotations, canDeleteAnnotations] = ['updateAnnotation', 'deleteAnnotation'].map((entry) =>
    app.offers.includes(entry),
  )
  const appView = { workspace, app: app.id }
  const columns: TableColumn<AnnotationRow>[] = [
    {
      header: t('asked'),
      grows: true,
      cell: ({ id, question }) => (
        <Link to={openPath(id)} dir="auto">
          {truncateText(question || t('untitled', { id: id.slice(0, 8) }), 300)}
        </Link>
      ),
    },
    { header: t('answered'), grows: true, cell: ({ answer }) => (answer === null ? null : truncateText(answer, 300)) },
    {
      header: t('hits'),
      isNumeric: true,
      cell: ({ hit_count }) => (hit_count === null ? null : formatCount(hit_count)),
    },
    {
      header: t('created'),
      isNumeric: true,
      cell: ({ created_at }) => (created_at === null ? null : <RelativeTime at={created_at} />),
    },
    {
      header: t('actions'),
      cell: (row) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              size={24}
              aria-label={t('moreFor', { name: truncateText(row.question ?? row.id, 60) })}
              title={t('moreFor', { name: truncateText(row.question ?? row.id, 60) })}
            >
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component={Link} to={openPath(row.id)}>
              {t(canEditAnnotations ? 'edit' : 'viewTitle')}
            </Menu.Item>
            {can(chatEndpoints.send) ? (
              <Menu.Item component={Link} to={paths.annotations({ ...appView, view: 'reply', annotation: row.id })}>
                {t('probe')}
              </Menu.Item>
            ) : null}
            {canDeleteAnnotations ? <Menu.Item onClick={() => onDelete(row)}>{t('delete')}</Menu.Item> : null}
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ]
  return columns
}
