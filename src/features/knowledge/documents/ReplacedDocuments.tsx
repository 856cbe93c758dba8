import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { documentMessages } from './messages.ts'
import type { ReplacedDocument } from './useSentDocuments.ts'

export interface ReplacedDocumentsProps {
  documents: readonly ReplacedDocument[]
  dataset_id: string
  workspace: string | undefined
  onClose: () => void
}

/** Says which documents the platform replaced instead of adding new ones. */
export function ReplacedDocuments({ documents, dataset_id, workspace, onClose }: ReplacedDocumentsProps) {
  const t = useMessages(documentMessages)
  if (documents.length === 0) return null
  return (
    <div className={classes.notice} role="status">
      <span>{t('replaced')}</span>
      {documents.map(({ id, name }) => (
        <Link key={id} to={paths.document(dataset_id, id, workspace ? { workspace } : {})}>
          {name}
        </Link>
      ))}
      <ActionIcon size={24} aria-label={t('close')} onClick={onClose}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  )
}
