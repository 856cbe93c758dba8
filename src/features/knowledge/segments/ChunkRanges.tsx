import { Box, Group, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ChunkCoverage } from '#domain/chunking/chunkCoverage.ts'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { segmentMessages } from './messages.ts'
import classes from './ChunkRanges.module.css'
import documentClasses from './Document.module.css'

export interface ChunkRangesProps {
  text: string
  coverage: ChunkCoverage
  children: readonly ChildChunkRecord[]
  /** The child that is open, by its place. */
  current: number
  onOpen: (child_chunk_id: string) => void
}

/** A parent's text with its children marked as ranges, and a proportional overview above it. */
export function ChunkRanges({ text, coverage, children, current, onOpen }: ChunkRangesProps) {
  const t = useMessages(segmentMessages)
  const { spans, placements, coveredShare, gaps } = coverage
  const uncoveredText = gaps.reduce(
    (totalChars, { start, end }) => totalChars + [...text.slice(start, end).trim()].length,
    0,
  )
  const unplacedChunks = placements.flatMap((placement, index) => (placement ? [] : [index + 1]))
  const differingChunks = placements.flatMap((placement, index) => (placement && !placement.isExact ? [index + 1] : []))
  return (
    <>
      <Group gap="6px 14px" fz="sm">
        <div className={classes.bar} role="img" aria-label={t('coverBar', { percent: formatPercent(coveredShare) })}>
          {spans.map(({ start, end, children: coveringChunks, isGap }) => (
            <i
              key={start}
              style={{ flexGrow: end - start }}
              data-gap={isGap || undefined}
              data-held={coveringChunks.length > 0 || undefined}
              data-odd={(coveringChunks[0] ?? 0) % 2 === 0 || undefined}
              data-current={coveringChunks.includes(current) || undefined}
            />
          ))}
        </div>
        <span>{t.rich('covered', { percent: formatPercent(coveredShare), b: (words) => <b>{words}</b> })}</span>
        {gaps.length > 0 ? (
          <Group component="span" gap={4} c="var(--interrupted-fg)">
            <IconAlertTriangle size={14} aria-hidden="true" />{' '}
            {t('gaps', { n: gaps.length, characters: uncoveredText })}
          </Group>
        ) : null}
      </Group>
      <Box className={documentClasses.text} lh={2.05} dir="auto">
        {spans.map(({ start, end, children: coveringChunks, isGap }) => {
          const words = text.slice(start, end)
          if (coveringChunks.length === 0)
            return (
              <span key={start} className={isGap ? classes.gap : undefined} title={isGap ? t('inNoChild') : undefined}>
                {words}
              </span>
            )
          const first = coveringChunks[0] ?? 0
          return (
            <span
              key={start}
              className={classes.range}
              data-odd={first % 2 === 0 || undefined}
              data-current={coveringChunks.includes(current) || undefined}
              data-shared={coveringChunks.length > 1 || undefined}
            >
              {coveringChunks
                .filter((coveringChunk) => placements[coveringChunk]?.ranges[0]?.start === start)
                .map((coveringChunk) => (
                  <UnstyledButton
                    key={coveringChunk}
                    aria-label={t('child', { number: coveringChunk + 1 })}
                    onClick={() => onOpen(children[coveringChunk]?.id ?? '')}
                  >
                    {coveringChunk + 1}
                  </UnstyledButton>
                ))}
              {words}
            </span>
          )
        })}
      </Box>
      {differingChunks.length > 0 ? (
        <Text fz={13} c="dimmed" role="status">
          {t('differsFromParent', { n: differingChunks.length, numbers: listNumbers(differingChunks) })}
        </Text>
      ) : null}
      {unplacedChunks.length > 0 ? (
        <Text fz={13} c="var(--interrupted-fg)" role="status">
          {t('notInParent', { n: unplacedChunks.length, numbers: listNumbers(unplacedChunks) })}
        </Text>
      ) : null}
    </>
  )
}

const MAX_LISTED_NUMBERS = 20
const listNumbers = (numbers: readonly number[]): string => numbers.slice(0, MAX_LISTED_NUMBERS).join(', ')

/** Rounded down, so that 100 % means a text without a gap. */
const formatPercent = (share: number): string => (Math.floor(share * 1000) / 10).toLocaleString('en')
