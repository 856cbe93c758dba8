import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { SearchResult } from './retrievalSearch.ts'
import { retrievalMessages } from './messages.ts'
import type { QuestionSetItem } from './questionSet.ts'
import classes from './Retrieval.module.css'

export interface SearchHitProps {
  hit: SearchResult
  /** From 1 on. */
  rank: number
  /** The dataset of the page: an app may find in others too. */
  dataset_id: string
  workspace: string
  /** Keeps the question with this segment, or with its document, as what should be found. */
  onExpect: (expected: Pick<QuestionSetItem, 'document_id' | 'segment_id' | 'label'>) => void
}

/** One hit: its place, its score, its words, the child chunks that led to it, and the way into the editor. */
export function SearchHit({ hit, rank, dataset_id, workspace, onExpect }: SearchHitProps) {
  const t = useMessages(retrievalMessages)
  const { document_id, document_name, segment_id, position, score, content, children } = hit
  const best = children[0]?.id
  const search = {
    workspace,
    segment: segment_id,
    ...(best ? { child: best } : {}),
    ...(hit.run ? { run: hit.run } : {}),
  }
  return (
    <li>
      <header>
        <b>{rank}</b>
        <Link to={paths.document(hit.dataset_id, document_id, search)}>
          {position === null ? t('openUnnumbered') : t('open', { position })}
        </Link>
        <span>{document_name ?? t('unnamed')}</span>
        {hit.dataset_id === dataset_id ? null : (
          <span>{t('otherDataset', { name: hit.dataset_name ?? hit.dataset_id.slice(0, 8) })}</span>
        )}
        <span className={classes.score}>
          {t('score')} <b>{score === null ? t('notGiven') : score.toFixed(3)}</b>
          {hit.search_method === null ? null : <code> {hit.search_method}</code>}
        </span>
      </header>
      <p dir="auto">{content}</p>
      {children.map((one) => (
        <p key={one.id} className={classes.child} dir="auto">
          {t('child', { score: one.score?.toFixed(3) ?? t('notGiven'), content: one.content ?? '' })}
        </p>
      ))}
      <div className={classes.actions}>
        <Button
          variant="default"
          onClick={() => onExpect({ document_id, segment_id, label: (content ?? segment_id).slice(0, 60) })}
        >
          {t('expectSegment')}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => onExpect({ document_id, segment_id: null, label: document_name ?? document_id.slice(0, 8) })}
        >
          {t('expectDocument')}
        </Button>
      </div>
    </li>
  )
}
