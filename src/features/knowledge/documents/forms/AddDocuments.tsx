import { Box, Drawer, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import type { RetrievalDialect } from '../../retrieval/retrievalModelForm.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { AddFiles } from './AddFiles.tsx'
import { AddText } from './AddText.tsx'
import { documentMessages } from '../messages.ts'
import type { DatasetDefaults } from './documentForm.ts'
import type { OnSent } from '../useSentDocuments.ts'

export interface AddDocumentsProps {
  opened: boolean
  onClose: () => void
  dataset_id: string
  knowledge: Key
  workspace: string
  /** What the dataset already has: the proposal for its documents. */
  defaults: DatasetDefaults
  dialect: RetrievalDialect | null
  onSent: OnSent
}

/** New documents: from text (operation 3), or from files where the platform takes them. */
export function AddDocuments(props: AddDocumentsProps) {
  const { opened, onClose, dataset_id, workspace, knowledge, defaults, dialect, onSent } = props
  const t = useMessages(documentMessages)
  const [source, setSource] = useState<'text' | 'file'>('text')
  const [hasShownFiles, setHasShownFiles] = useState(false)
  const takesFiles = knowledge.offers.includes('createByFile')
  const retrievalContext = {
    dialect,
    modelListKeyId: knowledge.offers.includes('listModels') ? knowledge.id : undefined,
  }
  const to = { dataset_id, workspace, keyId: knowledge.id, defaults, retrievalContext, onSent, onClose }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t(source === 'text' ? 'addTitle' : 'addFilesTitle')}
      size={720}
      keepMounted
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {takesFiles ? (
        <Box mb="sm">
          <SegmentedControl
            aria-label={t('addBy')}
            value={source}
            onChange={(value) => {
              setSource(value === 'file' ? 'file' : 'text')
              if (value === 'file') setHasShownFiles(true)
            }}
            data={[
              { value: 'text', label: t('byText') },
              { value: 'file', label: t('byFile') },
            ]}
          />
        </Box>
      ) : null}
      <div hidden={source !== 'text'}>
        <AddText {...to} />
      </div>
      {takesFiles && hasShownFiles ? (
        <div hidden={source !== 'file'}>
          <AddFiles {...to} />
        </div>
      ) : null}
    </Drawer>
  )
}
