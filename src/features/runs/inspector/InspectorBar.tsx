import { IconChevronUp, IconListSearch } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useFrames } from '../../../client/frameStore.ts'
import { formatGap, summarizeFrames } from '../frames/frameStatistics.ts'
import classes from './Inspector.module.css'
import { runMessages } from '../detail/messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'

/** A run with more frames is not loaded just for one metric. */
const MAX_SUMMARIZED_FRAMES = 2_000

/** Opens the inspector on a small screen, with a summary of its content. */
export function InspectorBar({ turn, onOpen }: { turn: Turn | null; onOpen: () => void }) {
  const t = useMessages(runMessages)
  const total = turn?.frames ?? 0
  const isSummarized = turn !== null && isTurnOver(turn) && total <= MAX_SUMMARIZED_FRAMES
  const { frames, count } = useFrames(isSummarized ? turn.run_id : null, total)
  const longestGap = useMemo(() => summarizeFrames({ frames, count })?.longest ?? null, [frames, count])
  return (
    <button type="button" className={classes.bar} onClick={onOpen}>
      <IconListSearch size={17} aria-hidden />
      <span>
        {t.rich('barFrames', { b: bold, count: total.toLocaleString('en'), plural: total })}
        {isSummarized && longestGap ? `, ${t('barLongest', { time: formatGap(longestGap.gap) })}` : null}
      </span>
      <span>{t('barSources', { count: turn?.answer.sources.length ?? 0 })}</span>
      <IconChevronUp size={17} aria-hidden />
    </button>
  )
}

const bold = (words: ReactNode) => <b>{words}</b>
