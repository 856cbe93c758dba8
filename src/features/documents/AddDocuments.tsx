import { Box, Drawer } from '@mantine/core'
import { useState } from 'react'
import type { Key } from '#contract/console.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import type { Speech } from '../../ui/retrieval/retrieval.ts'
import { useWords } from '../../ui/words.ts'
import { AddFiles } from './AddFiles.tsx'
import { AddText } from './AddText.tsx'
import { documentsWords } from './messages.ts'
import type { OnSent } from './useSent.ts'

export interface AddDocumentsProps {
  opened: boolean
  onClose: () => void
  dataset_id: string
  knowledge: Key
  /** The dataset's own `indexing_technique`, where it is known: the proposal for its documents. */
  technique: string | null
  heard: Speech | null
  onSent: OnSent
}

/** New documents: from text (operation 3), or from files where the platform takes them. */
export function AddDocuments(props: AddDocumentsProps) {
  const { opened, onClose, dataset_id, knowledge, technique, heard, onSent } = props
  const t = useWords(documentsWords)
  const [by, setBy] = useState<'text' | 'file'>('text')
  const [wasFile, setWasFile] = useState(false)
  const takesFiles = knowledge.offers.includes('createByFile')
  const passages = { heard, listedBy: knowledge.offers.includes('listModels') ? knowledge.id : undefined }
  const to = { dataset_id, keyId: knowledge.id, technique, passages, onSent, onClose }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t(by === 'text' ? 'addTitle' : 'addFilesTitle')}
      size={720}
      keepMounted
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {takesFiles ? (
        <Box mb="sm">
          <SegmentedControl
            aria-label={t('addBy')}
            value={by}
            onChange={(value) => {
              setBy(value === 'file' ? 'file' : 'text')
              if (value === 'file') setWasFile(true)
            }}
            data={[
              { value: 'text', label: t('byText') },
              { value: 'file', label: t('byFile') },
            ]}
          />
        </Box>
      ) : null}
      <div hidden={by !== 'text'}>
        <AddText {...to} />
      </div>
      {takesFiles && wasFile ? (
        <div hidden={by !== 'file'}>
          <AddFiles {...to} />
        </div>
      ) : null}
    </Drawer>
  )
}
