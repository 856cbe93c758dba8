import { Box, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import type { ProblemError } from '#contract/problem.ts'
import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import { optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useFileDownload } from '../../../../client/fileDownload.ts'
import { Can } from '../../../../client/Can.tsx'
import { usePermission } from '../../../../client/usePermission.ts'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from '../Documents.module.css'
import { readAllDocuments } from '../list/readAllDocuments.ts'
import type { DocumentListState } from '../list/useDocumentList.ts'
import { documentMessages } from '../messages.ts'
import type { DocumentDialogsState } from '../DocumentDialogs.tsx'
import { BULK_STATUS_ACTIONS, type BulkStatusAction } from './runBulkAction.ts'
import { useBulkAction } from './bulkJobs.ts'
import type { DocumentSelection } from './useDocumentSelection.ts'

/** Documents of one archive; platforms refuse more. */
const MAX_ARCHIVE_DOCUMENTS = 100

export interface SelectedDocumentsProps {
  selection: DocumentSelection
  documents: DocumentListState
  dialogs: DocumentDialogsState
  onDelete: (documents: readonly DocumentRecord[]) => void
}

/** What one may do with the selected documents. */
export function SelectedDocuments(props: SelectedDocumentsProps) {
  const knowledge = props.documents.key
  return props.selection.documents.length > 0 && knowledge ? (
    <SelectionActions {...props} knowledge={knowledge} />
  ) : null
}

function SelectionActions(props: SelectedDocumentsProps & { knowledge: Key }) {
  const { selection, documents: list, dialogs, onDelete, knowledge } = props
  const { dataset_id, name } = list
  const t = useMessages(documentMessages)
  const hasPermission = usePermission()
  const bulk = useBulkAction(dataset_id, knowledge)
  const download = useFileDownload(optionalDocumentEndpoints.downloadDocuments)
  const { documents } = selection
  const document_ids = documents.map(({ id }) => id)
  const save = () =>
    download.mutate({
      input: { key: knowledge.id, params: { dataset_id }, body: { document_ids } },
      name: `${name}.zip`,
    })
  const readAll = useMutation<DocumentRecord[], ProblemError>({
    mutationFn: async () => {
      const { keyword, status } = list
      const target = { keyId: knowledge.id, dataset_id, keyword, status }
      return list.all ?? (await readAllDocuments(target, new AbortController().signal)).documents
    },
    onSuccess: selection.select,
  })
  // Enabled documents cannot be enabled; a record without the field might be.
  const isUseful = (action: BulkStatusAction) => documents.some((document) => CHANGES[action](document))
  const withFile = documents.filter(({ reading }) => reading?.has_file)
  const isTooMany = documents.length > MAX_ARCHIVE_DOCUMENTS
  return (
    <>
      <Group gap="xs" className={classes.strip} bg="var(--primary-tint)" role="group" aria-label={t('selection')}>
        <Text span inherit fw={550} mr="xs" role="status">
          {t('selected', { n: documents.length })}
        </Text>
        {BULK_STATUS_ACTIONS.filter((action) => bulk.can(action) && isUseful(action)).map((action) => (
          <Button
            key={action}
            variant="default"
            disabled={bulk.isRunning}
            onClick={() => bulk.start(action, documents)}
          >
            {t(`bulkActions.${action}`)}
          </Button>
        ))}
        {bulk.can('read_again') && withFile.length > 0 ? (
          <Button variant="default" disabled={bulk.isRunning} onClick={() => bulk.start('read_again', withFile)}>
            {t('bulkActions.read_again')}
          </Button>
        ) : null}
        {knowledge.offers.includes('updateDocumentMetadata') &&
        hasPermission(optionalMetadataEndpoints.updateDocumentMetadata) ? (
          <Button variant="default" onClick={() => dialogs.describe(documents)}>
            {t('setMetadata')}
          </Button>
        ) : null}
        <Can entry={EXPORT_PERMISSION}>
          <Button variant="default" onClick={() => dialogs.exportOf(documents)}>
            {t('export')}
          </Button>
        </Can>
        {knowledge.offers.includes('downloadDocuments') ? (
          <Button
            variant="default"
            loading={download.isPending}
            disabled={isTooMany}
            title={isTooMany ? t('tooManyForArchive') : undefined}
            onClick={save}
          >
            {t('downloadArchive')}
          </Button>
        ) : null}
        {bulk.can('delete') ? (
          <Button variant="default" disabled={bulk.isRunning} onClick={() => onDelete(documents)}>
            {t('delete')}
          </Button>
        ) : null}
        {documents.length < list.total ? (
          <Button variant="subtle" color="gray" loading={readAll.isPending} onClick={() => readAll.mutate()}>
            {t('selectAll', { n: list.total })}
          </Button>
        ) : null}
        <Button variant="subtle" color="gray" onClick={selection.clear}>
          {t('clearSelection')}
        </Button>
      </Group>
      {download.error ? (
        <Box p="lg" maw={820}>
          <ProblemAlert problem={download.error.problem} action={t('downloadWhat')} onRetry={save} />
        </Box>
      ) : null}
      {readAll.error ? (
        <Box p="lg" maw={820}>
          <ProblemAlert problem={readAll.error.problem} action={t('listWhat')} onRetry={() => readAll.mutate()} />
        </Box>
      ) : null}
    </>
  )
}

/** Whether a status action changes anything of a document, as far as its record says. */
const CHANGES: Record<BulkStatusAction, (document: DocumentRecord) => boolean> = {
  enable: ({ enabled }) => enabled !== true,
  disable: ({ enabled }) => enabled !== false,
  archive: ({ archived }) => archived !== true,
  un_archive: ({ archived }) => archived === true,
}
