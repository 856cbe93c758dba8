import { Button, Group, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileText } from '@tabler/icons-react'
import { DOCUMENT_KINDS } from '#domain/documentReading/documentKinds.ts'
import { EncodingSelect } from '../../../components/forms/EncodingSelect.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ReadingNote } from '../reading/ReadingNote.tsx'
import classes from './ChunkLab.module.css'
import { chunkLabMessages } from './messages.ts'
import { MAX_LAB_FILE_BYTES } from './worker/labWorkerMessages.ts'
import { useEffect, useState } from 'react'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import type { TextEncoding } from '#domain/text/decodeText.ts'
import { requestFromLabWorker } from './worker/labWorkerClient.ts'

interface ChunkLabSourceProps {
  read: FileTextState
  /** The file that is shown instead of the text. */
  file: File | null
  /** Whether it was dropped here, so that one can return to the text. */
  isDropped: boolean
  onDrop: (file: File | null) => void
}

/** Where a file is dropped, and what became of it. */
export function ChunkLabSource({ read, file, isDropped, onDrop }: ChunkLabSourceProps) {
  const t = useMessages(chunkLabMessages)
  const encoding = read.encoding ?? read.document.encoding
  return (
    <Stack gap="sm">
      <Dropzone
        onDrop={(files: File[]) => onDrop(files[0] ?? null)}
        multiple={false}
        className={classes.drop}
        inputProps={{ 'aria-label': t('dropHere') }}
      >
        <span>
          <Text span inherit fw={550} c="var(--primary-text)">
            {t('dropHere')}
          </Text>{' '}
          {t('dropKinds', {
            kinds: DOCUMENT_KINDS.map((kind) => `.${kind}`).join(' '),
            most: MAX_LAB_FILE_BYTES / 1024 / 1024,
          })}
        </span>
      </Dropzone>
      {file ? (
        <Group component="span" gap="xs" fz={13} role="status">
          <IconFileText size={14} aria-hidden="true" />
          {t(read.isReading ? 'reading' : read.document.text === '' ? 'notRead' : 'readFrom', { name: file.name })}
          {encoding ? <EncodingSelect value={encoding} onChange={read.readIn} /> : null}
          {isDropped ? (
            <Button variant="subtle" color="gray" onClick={() => onDrop(null)}>
              {t('useText')}
            </Button>
          ) : null}
        </Group>
      ) : null}
      {read.problem ? <LabProblem>{read.problem}</LabProblem> : null}
      <ReadingNote reading={{ losses: read.document.losses }} />
    </Stack>
  )
}

export const LabProblem = ({ children }: { children: string }) => (
  <Text fz={13} c="var(--failed-fg)" role="alert" style={{ overflowWrap: 'anywhere' }}>
    {children}
  </Text>
)

type FileTextState = ReturnType<typeof useFileText>

const noFileText = {
  encoding: null as TextEncoding | null,
  document: { text: '', losses: [] } as DocumentText,
  isReading: false,
  problem: null as string | null,
}

export function useFileText(file: File | null) {
  const [read, setRead] = useState({ file, ...noFileText })
  if (read.file !== file) setRead({ file, ...noFileText, isReading: file !== null })
  const { encoding } = read
  useEffect(() => {
    if (!file) return
    return requestFromLabWorker({ kind: 'read', file, encoding }, (response) => {
      if (response.kind === 'read') setRead({ file, ...noFileText, encoding, document: response.document })
      if (response.kind === 'unread' || response.kind === 'failed')
        setRead({ file, ...noFileText, encoding, problem: response.reason })
    })
  }, [file, encoding])
  return {
    ...read,
    readIn: (chosen: TextEncoding) => setRead({ file, ...noFileText, encoding: chosen, isReading: true }),
  }
}
