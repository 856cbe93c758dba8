import { ActionIcon, Box, Flex, Group, Paper, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Problem } from '#contract/problem.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { EstimateTable } from '../chunkLab/EstimateTable.tsx'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useSavedEstimate, useSaveEstimate } from '../chunkLab/useSavedEstimate.ts'
import { useMeasuredChunks } from '../chunkLab/useMeasuredChunks.ts'
import { documentMessages } from './messages.ts'
import classes from './Documents.module.css'
import { useState } from 'react'
import type { ChunkEstimate } from '#domain/chunking/chunkEstimate.ts'

export interface SentDocumentsProps {
  /** Those that were sent from this page with an estimate, newest first. */
  sentDocuments: readonly string[]
  /** The documents of the page. */
  documents: readonly DocumentRecord[]
  problem: Problem | null
  dataset_id: string
  workspace: string
  keyId: string
  canListSegments: boolean
  onClose: () => void
}

const MAX_SHOWN_DOCUMENTS = 6

/** What the chunk lab had estimated of the documents that were just sent, beside what the platform made of them. */
export function SentDocuments(props: SentDocumentsProps) {
  const { sentDocuments, documents, problem, onClose, ...index } = props
  const t = useMessages(documentMessages)
  const shownDocuments = sentDocuments
    .flatMap((id) => documents.find((document) => document.id === id) ?? [])
    .slice(0, MAX_SHOWN_DOCUMENTS)
  if (shownDocuments.length === 0 && !problem) return null
  return (
    <Box component="section" className={classes.strip} bg="var(--canvas)" aria-label={t('sentTitle')}>
      <Group justify="space-between">
        <Text component="h2" fz="sm" fw={600}>
          {t('sentTitle')}
        </Text>
        <Tooltip label={t('close')}>
          <ActionIcon size={24} aria-label={t('close')} onClick={onClose}>
            <IconX size={14} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {problem ? <ProblemAlert problem={problem} action={t('keepEstimateWhat')} /> : null}
      <Flex component="ul" wrap="wrap" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {shownDocuments.map((document) => (
          <SentDocument key={document.id} document={document} {...index} />
        ))}
      </Flex>
      {sentDocuments.length > shownDocuments.length ? (
        <Text fz="sm" c="var(--text-3)">
          {t('andMore', { n: sentDocuments.length - shownDocuments.length })}
        </Text>
      ) : null}
    </Box>
  )
}

interface SentDocumentProps extends Pick<SentDocumentsProps, 'dataset_id' | 'workspace' | 'keyId' | 'canListSegments'> {
  document: DocumentRecord
}

function SentDocument({ document, dataset_id, workspace, keyId, canListSegments }: SentDocumentProps) {
  const t = useMessages(documentMessages)
  const savedEstimate = useSavedEstimate(document.id, workspace)
  const measuredChunks = useMeasuredChunks({
    dataset_id,
    document_id: document.id,
    keyId,
    canListSegments,
    record: document,
  })
  const name = document.name ?? document.id.slice(0, 8)
  return (
    <Paper component="li" px="md" py="sm" radius="md" maw="100%">
      <Text
        component={Link}
        to={paths.document(dataset_id, document.id, { workspace })}
        fz="sm"
        fw={550}
        c="var(--text)"
        maw={260}
        truncate
        display="block"
      >
        {name}
      </Text>
      {savedEstimate ? (
        <EstimateTable
          label={t('countsOf', { name })}
          estimate={savedEstimate.estimate}
          measuredChunks={measuredChunks}
        />
      ) : savedEstimate === null ? (
        <Text fz="sm" c="var(--text-3)">
          {t('noEstimate')}
        </Text>
      ) : null}
    </Paper>
  )
}

interface ReplacedDocumentsProps {
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
    <Group gap="sm" className={classes.strip} role="status">
      <span>{t('replaced')}</span>
      {documents.map(({ id, name }) => (
        <Link key={id} to={paths.document(dataset_id, id, workspace ? { workspace } : {})}>
          {name}
        </Link>
      ))}
      <ActionIcon size={24} aria-label={t('close')} onClick={onClose}>
        <IconX size={14} />
      </ActionIcon>
    </Group>
  )
}

interface ReplacedDocument {
  id: string
  name: string
}

/**
 * Called for each document that the platform has accepted, with the chunk lab's estimate (null: none), and the document
 * of the same name that it replaced.
 */
export type OnSent = (document_id: string, estimate: ChunkEstimate | null, replaced?: ReplacedDocument | null) => void

/** The documents that were sent from this page with an estimate, newest first; their estimates are kept for everybody. */
export function useSentDocuments(workspace: string | undefined) {
  const [sent, setSent] = useState<readonly string[]>([])
  const [replaced, setReplaced] = useState<readonly ReplacedDocument[]>([])
  const { keep: saveEstimate, problem } = useSaveEstimate(workspace ?? '')
  const note: OnSent = (document_id, estimate, replacedDocument) => {
    if (replacedDocument)
      setReplaced((before) => [replacedDocument, ...before.filter(({ id }) => id !== replacedDocument.id)])
    saveEstimate(document_id, estimate)
    setSent((before) => [...(estimate ? [document_id] : []), ...before.filter((id) => id !== document_id)])
  }
  return { sent, replaced, note, problem, putAway: () => setSent([]), dismissReplaced: () => setReplaced([]) }
}
