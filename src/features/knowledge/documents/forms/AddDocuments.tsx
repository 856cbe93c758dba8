import { Box, Drawer, SegmentedControl } from '@mantine/core'
import { type ClipboardEvent, useState } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import type { RetrievalDialect } from '../../retrieval/retrievalModelForm.ts'
import { parseSettingParam } from '../../chunkLab/chunkSettingParam.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { AddFiles } from './AddFiles.tsx'
import { AddText } from './AddText.tsx'
import { documentMessages } from '../messages.ts'
import type { DatasetDefaults } from './documentForm.ts'
import type { OnSent } from '../SentDocuments.tsx'

export interface AddDocumentsProps {
  opened: boolean
  source: 'text' | 'file'
  onSource: (source: 'text' | 'file') => void
  onClose: () => void
  dataset_id: string
  knowledge: Key
  workspace: string
  /** What the dataset already has: the proposal for its documents. */
  defaults: DatasetDefaults
  dialect: RetrievalDialect | null
  /** The setting of the chunk lab that the new documents begin with, as its URL has it. */
  setting: string | undefined
  onSent: OnSent
}

/** What is pasted outside a field: files, or a text with the setting of the form. */
interface PastedInput {
  files: readonly File[]
  text: string | null
}

/** New documents: from files where the platform takes them, or from text (operation 3). Both can be pasted anywhere. */
export function AddDocuments(props: AddDocumentsProps) {
  const { opened, onSource, onClose, dataset_id, workspace, knowledge, defaults, dialect, onSent } = props
  const t = useMessages(documentMessages)
  const takesFiles = knowledge.offers.includes('createByFile')
  const source = takesFiles ? props.source : 'text'
  // A form that was shown once stays, so that the other way and back loses neither its words nor its files.
  const [hasShown, setHasShown] = useState<readonly string[]>([source])
  if (opened && !hasShown.includes(source)) setHasShown([...hasShown, source])
  const [pasted, setPasted] = useState<PastedInput>({ files: [], text: null })
  const setting = parseSettingParam(props.setting)
  const retrievalContext = {
    dialect,
    modelListKeyId: knowledge.offers.includes('listModels') ? knowledge.id : undefined,
  }
  const to = { dataset_id, workspace, keyId: knowledge.id, defaults, retrievalContext, setting, onSent, onClose }
  const paste = (event: ClipboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    if (files.length > 0 && takesFiles) {
      setPasted({ files, text: null })
      onSource('file')
    } else if (text.trim()) {
      setPasted({ files: [], text })
      onSource('text')
    } else return
    event.preventDefault()
  }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t(takesFiles ? 'addFilesOrText' : 'addTitle')}
      size={720}
      keepMounted
      closeButtonProps={{ 'aria-label': t('close') }}
      onPaste={paste}
    >
      {takesFiles ? (
        <Box mb="sm">
          <SegmentedControl
            aria-label={t('addBy')}
            value={source}
            onChange={(value) => onSource(value === 'file' ? 'file' : 'text')}
            data={[
              { value: 'file', label: t('byFile') },
              { value: 'text', label: t('byText') },
            ]}
          />
        </Box>
      ) : null}
      {hasShown.includes('text') ? (
        <div hidden={source !== 'text'}>
          <AddText {...to} pastedText={pasted.text} />
        </div>
      ) : null}
      {takesFiles && hasShown.includes('file') ? (
        <div hidden={source !== 'file'}>
          <AddFiles {...to} pastedFiles={pasted.files} />
        </div>
      ) : null}
    </Drawer>
  )
}
