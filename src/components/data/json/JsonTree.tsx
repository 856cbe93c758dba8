import { useEffect, useRef, useState } from 'react'
import { jsonMessages } from './messages.ts'
import classes from './RawJson.module.css'
import { useMessages } from '../../i18n/useMessages.ts'
import type { JsonLine } from './jsonLines.ts'
import { JsonTreeLine } from './JsonTreeLine.tsx'

/** Lines shown at first, and added by each "show more". */
const LINES_PER_STEP = 400

export interface JsonTreeProps {
  lines: readonly JsonLine[]
  label: string
  highlightedKey?: string | undefined
  /** The current search match. */
  current: number | null
}

/** The lines of a JSON text, foldable; scrolls the current match into view. */
export function JsonTree({ lines, label, highlightedKey, current }: JsonTreeProps) {
  const t = useMessages(jsonMessages)
  const [subject, setSubject] = useState(lines)
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const [extraLines, setExtraLines] = useState(LINES_PER_STEP)
  const view = useRef<HTMLDivElement>(null)
  if (subject !== lines) {
    setSubject(lines)
    setFolded(new Set())
    setExtraLines(LINES_PER_STEP)
  }
  const maxLines = Math.max(extraLines, current === null ? 0 : current + LINES_PER_STEP / 4)
  const shown = listVisibleLines(lines, folded, current, maxLines)
  useEffect(() => {
    if (current !== null) view.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const last = shown.at(-1) ?? 0
  const toggle = (index: number) => {
    const next = new Set(folded)
    if (!next.delete(index)) next.add(index)
    setFolded(next)
  }
  return (
    <div ref={view} className={classes.code} tabIndex={0} role="region" aria-label={label}>
      {shown.map((index) => {
        const line = lines[index]
        return line ? (
          <JsonTreeLine
            key={index}
            number={index + 1}
            line={line}
            isFolded={folded.has(index)}
            isHighlighted={
              highlightedKey !== undefined && line.depth === 1 && line.key === JSON.stringify(highlightedKey)
            }
            isCurrent={index === current}
            onToggle={() => toggle(index)}
          />
        ) : null
      })}
      {last < lines.length - 1 && !folded.has(last) ? (
        <button type="button" className={classes.more} onClick={() => setExtraLines(maxLines + LINES_PER_STEP * 5)}>
          {t('moreLines', { shown: last + 1, count: lines.length })}
        </button>
      ) : null}
    </div>
  )
}

/** The visible lines. Folded nodes that contain the current match are opened. */
function listVisibleLines(
  lines: readonly JsonLine[],
  folded: ReadonlySet<number>,
  current: number | null,
  maxLines: number,
): number[] {
  const shown: number[] = []
  for (let index = 0; index < lines.length && shown.length < maxLines; index++) {
    shown.push(index)
    const end = lines[index]?.end ?? index
    const containsCurrent = current !== null && current > index && current <= end
    if (folded.has(index) && !containsCurrent) index = end
  }
  return shown
}
