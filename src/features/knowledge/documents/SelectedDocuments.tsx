import { Button } from '@mantine/core'
import { IconDownload, IconTags } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useFileDownload } from '../../../client/fileDownload.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { documentMessages } from './messages.ts'

const LazyDocumentMetadataDialog = lazyWithPreload(
  async () => (await import('../metadata/DocumentMetadataDialog.tsx')).DocumentMetadataDialog,
)

/** Documents of one archive; platforms refuse more. */
const MAX_ARCHIVE_DOCUMENTS = 100

export interface SelectedDocumentsProps {
  documents: readonly DocumentRecord[]
  /** How many documents of the page are not selected. */
  unselectedCount: number
  dataset_id: string
  /** Of the dataset, for the name of the archive. */
  name: string
  knowledge: Key
  workspace: string
  onSelectPage: () => void
  onClear: () => void
}

/** What one may do with the selected documents: set their metadata, and download them in one archive. */
export function SelectedDocuments({
  documents,
  unselectedCount,
  dataset_id,
  name,
  knowledge,
  workspace,
  onSelectPage,
  onClear,
}: SelectedDocumentsProps) {
  const t = useMessages(documentMessages)
  const can = usePermission()
  const download = useFileDownload(contract.adjacent.downloadDocuments)
  const [isEditing, setEditing] = useState(false)
  const document_ids = documents.map(({ id }) => id)
  const save = () =>
    download.mutate({
      input: { key: knowledge.id, params: { dataset_id }, body: { document_ids } },
      name: `${name}.zip`,
    })
  return (
    <>
      <div className={classes.notice} role="status">
        <span>{t('selected', { n: documents.length })}</span>
        {knowledge.offers.includes('updateDocumentMetadata') && can(contract.adjacent.updateDocumentMetadata) ? (
          <Button variant="default" leftSection={<IconTags size={14} />} onClick={() => setEditing(true)}>
            {t('setMetadata')}
          </Button>
        ) : null}
        {knowledge.offers.includes('downloadDocuments') ? (
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            loading={download.isPending}
            disabled={documents.length > MAX_ARCHIVE_DOCUMENTS}
            title={documents.length > MAX_ARCHIVE_DOCUMENTS ? t('tooManyForArchive') : undefined}
            onClick={save}
          >
            {t('downloadArchive')}
          </Button>
        ) : null}
        {unselectedCount > 0 ? (
          <Button variant="subtle" color="gray" onClick={onSelectPage}>
            {t('selectPage')}
          </Button>
        ) : null}
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t('clearSelection')}
        </Button>
      </div>
      {download.error ? (
        <div className={classes.problem}>
          <ProblemAlert problem={download.error.problem} action={t('downloadWhat')} onRetry={save} />
        </div>
      ) : null}
      <Suspense>
        {isEditing ? (
          <LazyDocumentMetadataDialog
            dataset_id={dataset_id}
            documents={documents}
            keyId={knowledge.id}
            workspace={workspace}
            onClose={() => setEditing(false)}
          />
        ) : null}
      </Suspense>
    </>
  )
}
