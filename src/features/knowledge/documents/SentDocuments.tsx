import { ActionIcon, Box, Flex, Group, Paper, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { EstimateTable } from '../chunkLab/EstimateTable.tsx'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useSavedEstimate, useSaveEstimate } from '../chunkLab/useSavedEstimate.ts'
import { useMeasuredChunks } from '../chunkLab/useMeasuredChunks.ts'
import type { DocumentListState } from './list/useDocumentList.ts'
import { documentMessages } from './messages.ts'
import classes from './Documents.module.css'
import { useState } from 'react'
import type { ChunkEstimate } from '#domain/chunking/chunkEstimate.ts'

export interface SentDocumentsProps {
  sent: SentDocumentsState
  documents: DocumentListState
}

const MAX_SHOWN_DOCUMENTS = 6

/** The replaced documents, and the chunk lab's estimates of those just sent next to the results. */
export function SentDocuments({ sent, documents }: SentDocumentsProps) {
  return (
    <>
      <SentEstimates sent={sent} documents={documents} />
      <ReplacedDocuments sent={sent} documents={documents} />
    </>
  )
}

function SentEstimates({ sent: { sent, problem, putAway }, documents }: SentDocumentsProps) {
  const t = useMessages(documentMessages)
  const { page, key, workspace, dataset_id } = documents
  if (!page || !key || !workspace) return null
  const shownDocuments = sent
    .flatMap((id) => page.data.find((document) => document.id === id) ?? [])
    .slice(0, MAX_SHOWN_DOCUMENTS)
  if (shownDocuments.length === 0 && !problem) return null
  return (
    <Box component="section" className={classes.strip} bg="var(--canvas)" aria-label={t('sentTitle')}>
      <Group justify="space-between">
        <Text component="h2" fz="sm" fw={600}>
          {t('sentTitle')}
        </Text>
        <Tooltip label={t('close')}>
          <ActionIcon size={24} aria-label={t('close')} onClick={putAway}>
            <IconX size={14} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {problem ? <ProblemAlert problem={problem} action={t('keepEstimateWhat')} /> : null}
      <Flex component="ul" wrap="wrap" gap="sm">
        {shownDocuments.map((document) => (
          <SentDocument
            key={document.id}
            document={document}
            dataset_id={dataset_id}
            workspace={workspace.id}
            knowledge={key}
          />
        ))}
      </Flex>
      {sent.length > shownDocuments.length ? (
        <Text fz="sm" c="var(--text-3)">
          {t('andMore', { n: sent.length - shownDocuments.length })}
        </Text>
      ) : null}
    </Box>
  )
}

interface SentDocumentProps {
  document: DocumentRecord
  dataset_id: string
  workspace: string
  knowledge: Key
}

function SentDocument({ document, dataset_id, workspace, knowledge }: SentDocumentProps) {
  const t = useMessages(documentMessages)
  const savedEstimate = useSavedEstimate(document.id, workspace)
  const measuredChunks = useMeasuredChunks({
    dataset_id,
    document_id: document.id,
    keyId: knowledge.id,
    canListSegments: knowledge.offers.includes('listSegments'),
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

function ReplacedDocuments({ sent: { replaced, dismissReplaced }, documents: { toDocumentPath } }: SentDocumentsProps) {
  const t = useMessages(documentMessages)
  if (replaced.length === 0) return null
  return (
    <Group gap="sm" className={classes.strip} role="status">
      <span>{t('replaced')}</span>
      {replaced.map(({ id, name }) => (
        <Link key={id} to={toDocumentPath(id)}>
          {name}
        </Link>
      ))}
      <ActionIcon size={24} aria-label={t('close')} onClick={dismissReplaced}>
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

/** The documents sent from this page with an estimate, newest first; their estimates are saved for everybody. */
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
export type SentDocumentsState = ReturnType<typeof useSentDocuments>
