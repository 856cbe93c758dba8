import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { commonMessages } from '../../components/i18n/commonMessages.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'

export interface DatasetBreadcrumbsProps {
  dataset_id: string
  /** Null where it is not known. */
  name: string | null
  /** What keeps a link within the workspace. */
  inWorkspace: { workspace?: string }
}

export function DatasetBreadcrumbs({ dataset_id, name, inWorkspace }: DatasetBreadcrumbsProps) {
  const t = useMessages(commonMessages)
  return (
    <>
      <Link to={paths.datasets(inWorkspace)}>{t('datasets')}</Link>
      <span aria-hidden="true">/</span>
      <Link to={paths.dataset(dataset_id, inWorkspace)}>{name ?? dataset_id.slice(0, 8)}</Link>
      <span aria-hidden="true">/</span>
    </>
  )
}
