import { Box, Drawer, Skeleton } from '@mantine/core'
import { useState } from 'react'
import type { Key } from '#contract/console.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useDocument } from '../../wire/useDocument.ts'
import { documentsWords } from './messages.ts'
import type { OnSent } from './useSent.ts'
import { UpdateFile } from './UpdateFile.tsx'
import { UpdateText } from './UpdateText.tsx'
import { useHistory } from './useHistory.ts'

export interface UpdateDocumentProps {
  dataset_id: string
  document_id: string
  by: 'text' | 'file'
  onBy: (by: 'text' | 'file') => void
  onClose: () => void
  workspace: string
  knowledge: Key
  onSent: OnSent
}

/** Operations 4 and 5: the document is cut anew, so what that discards is said before. */
export function UpdateDocument(props: UpdateDocumentProps) {
  const { dataset_id, document_id, by, onBy, onClose, workspace, knowledge, onSent } = props
  const t = useWords(documentsWords)
  const document = useDocument({ dataset_id, document_id, workspace, key: knowledge.id })
  const history = useHistory(document_id, workspace)
  // A form that was opened once stays, so that the other way and back loses neither its words nor its file.
  const [was, setWas] = useState<readonly string[]>([by])
  if (!was.includes(by)) setWas([...was, by])
  const isKnown = !document.isLoading && !history.isPending
  const to = {
    dataset_id,
    document_id,
    keyId: knowledge.id,
    isListed: knowledge.offers.includes('listSegments'),
    record: document.record,
    history,
    onSent,
    onClose,
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t('updateTitle', { name: document.name ?? document_id.slice(0, 8) })}
      size={720}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Box mb="sm">
        <SegmentedControl
          aria-label={t('updateBy')}
          value={by}
          onChange={(value) => onBy(value === 'file' ? 'file' : 'text')}
          data={[
            { value: 'text', label: t('byText') },
            { value: 'file', label: t('byFile') },
          ]}
        />
      </Box>
      {document.problem ? (
        <ProblemNote problem={document.problem} what={t('readWhat')} onRetry={document.retry} />
      ) : null}
      {isKnown ? null : <Skeleton height={240} animate={false} />}
      {isKnown ? (
        <>
          <div hidden={by !== 'text'}>{was.includes('text') ? <UpdateText {...to} /> : null}</div>
          <div hidden={by !== 'file'}>{was.includes('file') ? <UpdateFile {...to} /> : null}</div>
        </>
      ) : null}
    </Drawer>
  )
}
