import { IconStack2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useMemo } from 'react'
import type { RetrieverResource } from '#contract/platform/schemas.ts'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import { findSharedSpans, type Vocabulary } from './sharedTextSpans.ts'
import classes from './SourceCard.module.css'

interface SourceCardProps {
  source: RetrieverResource
  /** The number that citations use. */
  position: number
  /** Null if this console does not have the workspace: then the card has no link. */
  workspace: string | null
  /** Selected elsewhere on the page. */
  selected?: boolean
  /** Shows the whole text instead of two lines. */
  showFullText?: boolean
  /** The vocabulary of the answer: shared text is highlighted. */
  vocabulary?: Vocabulary
  /** The run of the source, so that its question can be sent again after an edit of the source. */
  run?: string
}

/** A retriever resource: origin, score and text. The card links to the segment. */
export function SourceCard({
  source,
  position,
  workspace,
  selected = false,
  showFullText = false,
  vocabulary,
  run,
}: SourceCardProps) {
  const t = useMessages(runMessages)
  const { dataset_id, dataset_name, document_id, document_name, segment_id, segment_position, content } = source
  const name = document_name || t('unnamedDocument')
  const target =
    workspace && dataset_id && document_id
      ? paths.document(dataset_id, document_id, { workspace, segment: segment_id ?? undefined, run })
      : null
  return (
    <article className={classes.card} data-selected={selected || undefined}>
      <div className={classes.head}>
        <span className={classes.number} aria-hidden>
          {position}
        </span>
        {target ? (
          <Link to={target} className={classes.name} aria-label={t('source', { position, name })} title={name}>
            {name}
          </Link>
        ) : (
          <span className={classes.name} title={name}>
            {name}
          </span>
        )}
        <SourceScore score={source.score} />
      </div>
      <p className={classes.content} dir="auto" data-whole={showFullText || undefined}>
        {content && vocabulary ? <SharedText text={content} vocabulary={vocabulary} /> : (content ?? t('notGiven'))}
      </p>
      <div className={classes.foot}>
        <IconStack2 size={13} aria-hidden />
        <span className={classes.dataset}>{dataset_name || t('unnamedDataset')}</span>
        {segment_position !== null && segment_position !== undefined ? (
          <span className={classes.segment}>{t('segment', { position: segment_position })}</span>
        ) : null}
      </div>
    </article>
  )
}

function SourceScore({ score }: { score: number | null | undefined }) {
  const t = useMessages(runMessages)
  if (score === null || score === undefined) return <span className={classes.missing}>{t('notGiven')}</span>
  const share = Math.min(1, Math.max(0, score))
  return (
    <span className={classes.score} title={`${t('score')} ${score}`}>
      {score.toFixed(3)}
      <i style={{ width: `${share * 34}px` }} aria-hidden />
    </span>
  )
}

/** The text of a source; highlights what it shares with the answer. */
function SharedText({ text, vocabulary }: { text: string; vocabulary: Vocabulary }) {
  const spans = useMemo(() => findSharedSpans(text, vocabulary), [text, vocabulary])
  return (
    <>
      {spans.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(spans[index - 1]?.to ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(spans.at(-1)?.to ?? 0)}
    </>
  )
}

interface SourceCardsProps {
  sources: readonly RetrieverResource[]
  workspace: string | null
  /** The position of the source selected elsewhere. */
  selected: number | null
  /** Their run, if this console has it. */
  run?: string
}

/** The sources below an answer; nothing without sources. */
export function SourceCards({ sources, workspace, selected, run }: SourceCardsProps) {
  if (sources.length === 0) return null
  return (
    <div className={classes.sources}>
      {sources.map((one, index) => {
        const position = one.position ?? index + 1
        return (
          <SourceCard
            key={index}
            source={one}
            position={position}
            workspace={workspace}
            selected={selected === position}
            {...(run === undefined ? {} : { run })}
          />
        )
      })}
    </div>
  )
}
