import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link } from 'react-router'
import { chatEndpoints } from '#contract/platform/chat.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import type { TableColumn } from '../../components/data/Table.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { annotationMessages } from './messages.ts'
import type { AnnotationRow } from './useAnnotations.ts'
import { usePermission } from '../../client/usePermission.ts'
import { truncateText } from '#contract/truncatedText.ts'

export interface AnnotationColumnsInput {
  workspace: string
  app: Key
  openPath: (id: string) => string
  onDelete: (row: AnnotationRow) => void
}

/** The columns of the annotation list, with a menu in each row. */
export function useAnnotationColumns({ workspace, app, openPath, onDelete }: AnnotationColumnsInput) {
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
