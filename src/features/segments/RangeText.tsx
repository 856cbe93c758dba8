import { IconAlertTriangle } from '@tabler/icons-react'
import type { ChildChunkRecord } from '#contract/records.ts'
import { useWords } from '../../ui/words.ts'
import type { Coverage } from './coverage.ts'
import { segmentsWords } from './messages.ts'
import classes from './RangeText.module.css'

export interface RangeTextProps {
  text: string
  coverage: Coverage
  children: readonly ChildChunkRecord[]
  /** The child that is open, by its place. */
  current: number
  onOpen: (child_chunk_id: string) => void
}

/** A parent's text with its children drawn as ranges in it, and above it the same in proportion. */
export function RangeText({ text, coverage, children, current, onOpen }: RangeTextProps) {
  const t = useWords(segmentsWords)
  const { spans, places, share, gaps } = coverage
  const bare = gaps.reduce((sum, { start, end }) => sum + [...text.slice(start, end).trim()].length, 0)
  const lost = places.flatMap((place, index) => (place ? [] : [index + 1]))
  return (
    <>
      <div className={classes.cover}>
        <div className={classes.bar} role="img" aria-label={t('coverBar', { percent: percentOf(share) })}>
          {spans.map(({ start, end, children: holders, isGap }) => (
            <i
              key={start}
              style={{ flexGrow: end - start }}
              data-gap={isGap || undefined}
              data-held={holders.length > 0 || undefined}
              data-odd={(holders[0] ?? 0) % 2 === 0 || undefined}
              data-current={holders.includes(current) || undefined}
            />
          ))}
        </div>
        <span>{t.rich('covered', { percent: percentOf(share), b: (words) => <b>{words}</b> })}</span>
        {gaps.length > 0 ? (
          <span className={classes.gaps}>
            <IconAlertTriangle size={14} aria-hidden="true" /> {t('gaps', { n: gaps.length, characters: bare })}
          </span>
        ) : null}
      </div>
      <div className={classes.text} dir="auto">
        {spans.map(({ start, end, children: holders, isGap }) => {
          const words = text.slice(start, end)
          if (holders.length === 0)
            return (
              <span key={start} className={isGap ? classes.gap : undefined} title={isGap ? t('inNoChild') : undefined}>
                {words}
              </span>
            )
          const first = holders[0] ?? 0
          return (
            <span
              key={start}
              className={classes.range}
              data-odd={first % 2 === 0 || undefined}
              data-current={holders.includes(current) || undefined}
              data-shared={holders.length > 1 || undefined}
            >
              {holders
                .filter((holder) => places[holder]?.start === start)
                .map((holder) => (
                  <button
                    key={holder}
                    type="button"
                    aria-label={t('child', { number: holder + 1 })}
                    onClick={() => onOpen(children[holder]?.id ?? '')}
                  >
                    {holder + 1}
                  </button>
                ))}
              {words}
            </span>
          )
        })}
      </div>
      {lost.length > 0 ? (
        <p className={classes.lost} role="status">
          {t('notInParent', { n: lost.length, numbers: lost.slice(0, 20).join(', ') })}
        </p>
      ) : null}
    </>
  )
}

/** Rounded down, so that 100 % is said only of a text without a gap. */
const percentOf = (share: number): string => (Math.floor(share * 1000) / 10).toLocaleString('en')
