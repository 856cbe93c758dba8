import { Box, Group, Paper, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { type DiscardedEdit, useDocumentHistory } from './documentHistory.ts'
import { documentMessages } from './messages.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { useEffect, useRef } from 'react'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import blocks from '../../../components/layout/Blocks.module.css'

/** The edits of chunks made here that an update discards, each with who and when. */
export function LostEdits({ edits }: { edits: readonly DiscardedEdit[] }) {
  const t = useMessages(documentMessages)
  if (edits.length === 0)
    return (
      <Text fz="xs" c="var(--text-3)">
        {t('noEditsLost')}
      </Text>
    )
  return (
    <Paper
      component="section"
      px="md"
      py="sm"
      radius="md"
      fz="sm"
      className={blocks.noted}
      data-tone="interrupted"
      aria-label={t('lostTitle')}
    >
      <Group gap="xs" wrap="nowrap">
        <IconAlertTriangle size={14} aria-hidden="true" />
        {t('lost', { n: edits.length })}
      </Group>
      <Box component="ul" mah={180} my="xs" pl="lg" c="dimmed" style={{ listStyle: 'revert', overflow: 'auto' }}>
        {edits.map(({ id, entry, person, created_at, note, text }) => (
          <li key={id}>
            <code>{entry.split('.').at(-1)}</code> {person} <RelativeTime at={created_at} />
            {note ? `: ${note}` : null}
            {text ? (
              <Text inherit c="var(--text)" style={{ overflowWrap: 'anywhere' }}>
                “{truncateText(text, 160, ' …')}”
              </Text>
            ) : null}
          </li>
        ))}
      </Box>
      {t('lostKept')}
    </Paper>
  )
}

/** Warns that a document of this name exists, and lists the edits that are lost if the platform replaces it. */
export function ExistingDocument({ document, workspace }: { document: DocumentRecord; workspace: string }) {
  const t = useMessages(documentMessages)
  const { edits, isPending } = useDocumentHistory(document.id, workspace)
  const warning = useRef<HTMLDivElement>(null)
  // The buttons of a long form cover its end.
  useEffect(() => {
    // Newer browsers return a promise, which is not a cleanup function.
    void warning.current?.scrollIntoView?.({ block: 'center' })
  }, [isPending])
  return (
    <Stack ref={warning} gap="sm" role="alert">
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('nameExists', { name: document.name ?? document.id })}
      </Text>
      {isPending ? null : <LostEdits edits={edits} />}
    </Stack>
  )
}
