import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Problem } from '#contract/problem.ts'
import type { DocumentRecord } from '#contract/records.ts'
import { Counted } from '../../lab/Counted.tsx'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { useEstimate } from '../../wire/useEstimate.ts'
import { useMeasured } from '../../wire/useMeasured.ts'
import { documentsWords } from './messages.ts'
import classes from './SentDocuments.module.css'

export interface SentDocumentsProps {
  /** Those that were sent from this page with an estimate, newest first. */
  sent: readonly string[]
  /** The documents of the page. */
  documents: readonly DocumentRecord[]
  problem: Problem | null
  dataset_id: string
  workspace: string
  keyId: string
  isListed: boolean
  onClose: () => void
}

const SHOWN = 6

/** What the chunk lab had estimated of the documents that were just sent, beside what the platform made of them. */
export function SentDocuments(props: SentDocumentsProps) {
  const { sent, documents, problem, onClose, ...place } = props
  const t = useWords(documentsWords)
  const shown = sent.flatMap((id) => documents.find((document) => document.id === id) ?? []).slice(0, SHOWN)
  if (shown.length === 0 && !problem) return null
  return (
    <section className={classes.sent} aria-label={t('sentTitle')}>
      <header>
        <h2>{t('sentTitle')}</h2>
        <Tooltip label={t('close')}>
          <ActionIcon size={24} aria-label={t('close')} onClick={onClose}>
            <IconX size={14} />
          </ActionIcon>
        </Tooltip>
      </header>
      {problem ? <ProblemNote problem={problem} what={t('keepEstimateWhat')} /> : null}
      <ul>
        {shown.map((document) => (
          <Sent key={document.id} document={document} {...place} />
        ))}
      </ul>
      {sent.length > shown.length ? <p>{t('andMore', { n: sent.length - shown.length })}</p> : null}
    </section>
  )
}

interface SentProps extends Pick<SentDocumentsProps, 'dataset_id' | 'workspace' | 'keyId' | 'isListed'> {
  document: DocumentRecord
}

function Sent({ document, dataset_id, workspace, keyId, isListed }: SentProps) {
  const t = useWords(documentsWords)
  const kept = useEstimate(document.id, workspace)
  const measured = useMeasured({ dataset_id, document_id: document.id, keyId, isListed, record: document })
  const name = document.name ?? document.id.slice(0, 8)
  return (
    <li>
      <Link to={paths.document(dataset_id, document.id, { workspace })}>{name}</Link>
      {kept ? (
        <Counted label={t('countsOf', { name })} estimate={kept.estimate} measured={measured} />
      ) : kept === null ? (
        <p>{t('noEstimate')}</p>
      ) : null}
    </li>
  )
}
