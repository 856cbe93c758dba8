import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { suiteEndpoints } from '#contract/console/suites.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { paths } from '#domain/paths.ts'
import type { RankChange } from '#domain/retrieval/compareRankings.ts'
import { Can } from '../../../client/Can.tsx'
import { useWrite } from '../../../client/query.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import type { PendingCase } from './DatasetSuites.tsx'
import type { SearchResult } from './retrievalSearch.ts'
import { retrievalMessages } from './messages.ts'
import classes from './Retrieval.module.css'
import { useMemo } from 'react'
import { markPassage, type PassageRange } from '#domain/retrieval/passageMarks.ts'

export interface SearchHitProps {
  hit: SearchResult
  question: string
  /** From 1 on. */
  rank: number
  /** How its place differs from that in the other column; null without one. */
  change: RankChange | null
  /** The dataset of the page: an app may find in others too. */
  dataset_id: string
  workspace: string
  /** The knowledge key, where the platform lets segments be changed. */
  editKey: string | null
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Keeps the question with this segment, or with its document, as what should be found. */
  onExpect: (expected: PendingCase['expected']) => void
}

/** One hit: its place, its score, the passage that answers, the child chunks that led to it, and what one may do with it. */
export function SearchHit(props: SearchHitProps) {
  const { hit, question, rank, change, dataset_id, workspace, editKey, isOpen, onToggle, onExpect } = props
  const t = useMessages(retrievalMessages)
  const { document_id, document_name, segment_id, position, score, content, children } = hit
  const best = children[0]?.id
  const segmentPath = paths.document(hit.dataset_id, document_id, {
    workspace,
    segment: segment_id,
    ...(best ? { child: best } : {}),
    ...(hit.run ? { run: hit.run } : {}),
  })
  return (
    <li className={classes.hit} data-change={change?.is}>
      <Group component="header" gap="sm" w="100%" c="dimmed">
        <b>{rank}</b>
        <Link to={segmentPath}>{position === null ? t('openUnnumbered') : t('open', { position })}</Link>
        <Box
          component={Link}
          to={paths.document(hit.dataset_id, document_id, { workspace })}
          c="dimmed"
          style={{ overflowWrap: 'anywhere' }}
        >
          {document_name ?? t('unnamed')}
        </Box>
        {hit.dataset_id === dataset_id ? null : (
          <span>{t('otherDataset', { name: hit.dataset_name ?? hit.dataset_id.slice(0, 8) })}</span>
        )}
        {change ? <ChangeMark change={change} /> : null}
        <Box component="span" ml="auto" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {t('score')} <b>{score === null ? t('notGiven') : score.toFixed(3)}</b>
          {hit.search_method === null ? null : <code> {hit.search_method}</code>}
        </Box>
      </Group>
      {content === null ? (
        <Text fz={13} c="var(--text-3)">
          {t('noContent')}
        </Text>
      ) : (
        <PassageText text={content} question={question} isOpen={isOpen} onToggle={onToggle} />
      )}
      {children.map((one) => (
        <Text
          key={one.id}
          fz={13}
          c="dimmed"
          pl="sm"
          dir="auto"
          style={{ borderLeft: '2px solid var(--series-2)', overflowWrap: 'anywhere' }}
        >
          {t('child', { score: one.score?.toFixed(3) ?? t('notGiven'), content: one.content ?? '' })}
        </Text>
      ))}
      <Group gap="sm">
        <Can entry={suiteEndpoints.addSuiteCases}>
          <Button
            variant="default"
            onClick={() =>
              onExpect({ segments: [{ id: segment_id, document_id, label: (content ?? segment_id).slice(0, 60) }] })
            }
          >
            {t('expectSegment')}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            onClick={() =>
              onExpect({ documents: [{ id: document_id, label: document_name ?? document_id.slice(0, 8) }] })
            }
          >
            {t('expectDocument')}
          </Button>
        </Can>
        {editKey ? <DisableSegment hit={hit} keyId={editKey} /> : null}
      </Group>
    </li>
  )
}

function ChangeMark({ change }: { change: RankChange }) {
  const t = useMessages(retrievalMessages)
  if (change.is === 'same') return null
  const text =
    change.is === 'up' || change.is === 'down' ? t(`moved.${change.is}`, { by: change.by }) : t(`moved.${change.is}`)
  return (
    <span className={classes.change} data-change={change.is}>
      {text}
    </span>
  )
}

/** Takes the segment out of retrieval, and back. */
function DisableSegment({ hit, keyId }: { hit: SearchResult; keyId: string }) {
  const t = useMessages(retrievalMessages)
  const update = useWrite(optionalSegmentEndpoints.updateSegment)
  const { dataset_id, document_id, segment_id } = hit
  const isDisabled = update.data !== undefined && update.variables?.body?.segment.enabled === false
  return (
    <Can entry={optionalSegmentEndpoints.updateSegment}>
      <Button
        variant="subtle"
        color="gray"
        loading={update.isPending}
        onClick={() =>
          update.mutate({
            key: keyId,
            params: { dataset_id, document_id, segment_id },
            body: { segment: { enabled: isDisabled } },
          })
        }
      >
        {isDisabled ? t('enableSegment') : t('disableSegment')}
      </Button>
      {isDisabled ? <span role="status">{t('isDisabled')}</span> : null}
      {update.error ? <ProblemAlert problem={update.error.problem} action={t('disableWhat')} /> : null}
    </Can>
  )
}

interface PassageTextProps {
  text: string
  question: string
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** The passage around the best sentence with the words of the question marked; unfolded, the full segment. */
function PassageText({ text, question, isOpen, onToggle }: PassageTextProps) {
  const t = useMessages(retrievalMessages)
  const { words, best, isByLikeness, window } = useMemo(() => markPassage(text, question), [text, question])
  const shown = isOpen ? { start: 0, end: text.length } : window
  const isCut = window.start > 0 || window.end < text.length
  return (
    <Stack gap={4} w="100%" align="start">
      <p className={classes.passage} dir="auto" data-open={isOpen || undefined}>
        {shown.start > 0 ? '… ' : null}
        {splitAt(shown, words, best).map((piece) => (
          <MarkedPiece key={piece.start} text={text.slice(piece.start, piece.end)} {...piece} />
        ))}
        {shown.end < text.length ? ' …' : null}
      </p>
      {isByLikeness ? (
        <Text fz="xs" c="dimmed">
          {t('byLikeness')}
        </Text>
      ) : null}
      {isCut ? (
        <Button variant="transparent" px={0} aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
          {isOpen ? t('foldSegment') : t('unfoldSegment', { n: text.length })}
        </Button>
      ) : null}
    </Stack>
  )
}

interface Piece extends PassageRange {
  isWord: boolean
  isBest: boolean
}

function MarkedPiece({ text, isWord, isBest }: Piece & { text: string }) {
  if (isWord) return <mark data-best={isBest || undefined}>{text}</mark>
  return isBest ? <span className={classes.best}>{text}</span> : text
}

/** The part of a text that is shown, cut where a mark begins or ends. */
function splitAt(shown: PassageRange, words: readonly PassageRange[], best: PassageRange | null): Piece[] {
  const isIn = (range: PassageRange | null, start: number) =>
    range !== null && range.start <= start && start < range.end
  const inside = [...words, ...(best ? [best] : [])].flatMap(({ start, end }) => [start, end])
  const cuts = [...new Set([shown.start, ...inside, shown.end])].filter((cut) => cut >= shown.start && cut <= shown.end)
  const sorted = cuts.sort((one, other) => one - other)
  let at = 0
  return sorted.slice(0, -1).map((start, index) => {
    while (at < words.length && (words[at]?.end ?? 0) <= start) at++
    return {
      start,
      end: sorted[index + 1] ?? shown.end,
      isWord: isIn(words[at] ?? null, start),
      isBest: isIn(best, start),
    }
  })
}
