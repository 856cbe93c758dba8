import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useWords } from '../../ui/words.ts'
import type { Found } from './finding.ts'
import { retrievalWords } from './messages.ts'
import type { Asked } from './questions.ts'
import classes from './Retrieval.module.css'

export interface FoundSegmentProps {
  found: Found
  /** From 1 on. */
  rank: number
  /** The dataset of the page: an app may find in others too. */
  dataset_id: string
  workspace: string
  /** Keeps the question with this segment, or with its document, as what should be found. */
  onExpect: (expected: Pick<Asked, 'document_id' | 'segment_id' | 'label'>) => void
}

/** One hit: its place, its score, its words, the child chunks that led to it, and the way into the editor. */
export function FoundSegment({ found, rank, dataset_id, workspace, onExpect }: FoundSegmentProps) {
  const t = useWords(retrievalWords)
  const { document_id, document_name, segment_id, position, score, content, children } = found
  const best = children[0]?.id
  const search = {
    workspace,
    segment: segment_id,
    ...(best ? { child: best } : {}),
    ...(found.run ? { run: found.run } : {}),
  }
  return (
    <li>
      <header>
        <b>{rank}</b>
        <Link to={paths.document(found.dataset_id, document_id, search)}>
          {position === null ? t('openUnnumbered') : t('open', { position })}
        </Link>
        <span>{document_name ?? t('unnamed')}</span>
        {found.dataset_id === dataset_id ? null : (
          <span>{t('otherDataset', { name: found.dataset_name ?? found.dataset_id.slice(0, 8) })}</span>
        )}
        <span className={classes.score}>
          {t('score')} <b>{score === null ? t('notGiven') : score.toFixed(3)}</b>
        </span>
      </header>
      <p dir="auto">{content}</p>
      {children.map((one) => (
        <p key={one.id} className={classes.child} dir="auto">
          {t('child', { score: one.score?.toFixed(3) ?? t('notGiven'), content: one.content ?? '' })}
        </p>
      ))}
      <div className={classes.deeds}>
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
