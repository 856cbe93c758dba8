import { Alert, Box, SegmentedControl, Skeleton } from '@mantine/core'
import { useState } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import { hasProcessRule } from '#domain/documentRecord.ts'
import { SideDrawer } from '../../../../components/overlays/SideDrawer.tsx'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useDocument } from '../../useDocument.ts'
import { documentMessages } from '../messages.ts'
import type { OnSent } from '../SentDocuments.tsx'
import { UpdateFile } from './UpdateFile.tsx'
import { UpdateText } from './UpdateText.tsx'
import { useDocumentHistory } from '../documentHistory.ts'

export interface UpdateDocumentProps {
  dataset_id: string
  document_id: string
  source: 'text' | 'file'
  onSource: (by: 'text' | 'file') => void
  onClose: () => void
  workspace: string
  knowledge: Key
  technique: string | null
  onSent: OnSent
}

/** Operations 4 and 5: the document is chunked again, so the form first warns about what that discards. */
export function UpdateDocument(props: UpdateDocumentProps) {
  const { dataset_id, document_id, source, onSource, onClose, workspace, knowledge, technique, onSent } = props
  const t = useMessages(documentMessages)
  const document = useDocument({ dataset_id, document_id, workspace, key: knowledge.id })
  const history = useDocumentHistory(document_id, workspace)
  // A form that was opened once stays: the other form and a later read lose neither its words nor the reply it waits for.
  const [openedForms, setOpenedForms] = useState<readonly string[]>([])
  const isKnown = !document.isLoading && !history.isPending
  if (isKnown && !openedForms.includes(source)) setOpenedForms([...openedForms, source])
  const [hasFile, setHasFile] = useState(false)
  const to = {
    dataset_id,
    document_id,
    keyId: knowledge.id,
    canListSegments: knowledge.offers.includes('listSegments'),
    technique,
    record: document.record,
    history,
    onSent,
    onClose,
  }
  return (
    <SideDrawer
      isDirty={hasFile}
      onClose={onClose}
      title={t('updateTitle', { name: document.name ?? document_id.slice(0, 8) })}
      size={720}
    >
      <Box mb="sm">
        <SegmentedControl
          aria-label={t('updateBy')}
          value={source}
          onChange={(value) => onSource(value === 'file' ? 'file' : 'text')}
          data={[
            { value: 'text', label: t('byText') },
            { value: 'file', label: t('byFile') },
          ]}
        />
      </Box>
      {document.problem ? (
        <ProblemAlert problem={document.problem} action={t('readWhat')} onRetry={document.retry} />
      ) : null}
      {openedForms.length === 0 ? (
        <Skeleton height={240} animate={false} />
      ) : (
        <>
          {hasProcessRule(document.record) ? null : <Alert mb="sm">{t('noRuleWarning')}</Alert>}
          <div hidden={source !== 'text'}>{openedForms.includes('text') ? <UpdateText {...to} /> : null}</div>
          <div hidden={source !== 'file'}>
            {openedForms.includes('file') ? <UpdateFile {...to} onHasFile={setHasFile} /> : null}
          </div>
        </>
      )}
    </SideDrawer>
  )
}
