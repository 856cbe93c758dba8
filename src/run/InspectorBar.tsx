import { IconChevronUp, IconListSearch } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useWords } from '../ui/words.ts'
import { useFrames } from '../wire/frames.ts'
import { gapWords } from './frames/times.ts'
import { summaryOf } from './frames/summary.ts'
import classes from './InspectorBar.module.css'
import { runWords } from './messages.ts'
import { isOver, type Turn } from './turn.ts'

/** A run with more frames than this is not read for one figure. */
const FEW = 2_000

/** On a small screen the way to the inspector, with what is in it. */
export function InspectorBar({ turn, onOpen }: { turn: Turn | null; onOpen: () => void }) {
  const t = useWords(runWords)
  const total = turn?.frames ?? 0
  const isTold = turn !== null && isOver(turn) && total <= FEW
  const { frames, count } = useFrames(isTold ? turn.run_id : null, total)
  const longest = useMemo(() => summaryOf({ frames, count })?.longest ?? null, [frames, count])
  return (
    <button type="button" className={classes.bar} onClick={onOpen}>
      <IconListSearch size={17} aria-hidden />
      <span>
        {t.rich('barFrames', { b: bold, count: total.toLocaleString('en'), plural: total })}
        {isTold && longest ? `, ${t('barLongest', { time: gapWords(longest.gap) })}` : null}
      </span>
      <span>{t('barSources', { count: turn?.answer.sources.length ?? 0 })}</span>
      <IconChevronUp size={17} aria-hidden />
    </button>
  )
}

const bold = (words: ReactNode) => <b>{words}</b>
