import { useEffect, useRef, useState } from 'react'
import { uiWords } from '../messages.ts'
import classes from '../RawJson.module.css'
import { useWords } from '../words.ts'
import type { JsonLine } from './lines.ts'
import { TreeLine } from './TreeLine.tsx'

/** So many lines stand there at first, and so many more each time one asks. */
const STEP = 400

export interface TreeProps {
  lines: readonly JsonLine[]
  label: string
  marked?: string | undefined
  /** The line that the search stands at. */
  current: number | null
}

/** The lines of a record. What opens can be folded; a line that is searched comes into sight. */
export function Tree({ lines, label, marked, current }: TreeProps) {
  const t = useWords(uiWords)
  const [subject, setSubject] = useState(lines)
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const [asked, setAsked] = useState(STEP)
  const view = useRef<HTMLDivElement>(null)
  if (subject !== lines) {
    setSubject(lines)
    setFolded(new Set())
    setAsked(STEP)
  }
  const most = Math.max(asked, current === null ? 0 : current + STEP / 4)
  const shown = shownOf(lines, folded, current, most)
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
          <TreeLine
            key={index}
            number={index + 1}
            line={line}
            isFolded={folded.has(index)}
            isMarked={marked !== undefined && line.depth === 1 && line.key === JSON.stringify(marked)}
            isCurrent={index === current}
            onFold={() => toggle(index)}
          />
        ) : null
      })}
      {last < lines.length - 1 && !folded.has(last) ? (
        <button type="button" className={classes.more} onClick={() => setAsked(most + STEP * 5)}>
          {t('moreLines', { shown: last + 1, count: lines.length })}
        </button>
      ) : null}
    </div>
  )
}

/** The lines that are to be seen. What holds the line that is searched is open, whatever was folded. */
function shownOf(
  lines: readonly JsonLine[],
  folded: ReadonlySet<number>,
  current: number | null,
  most: number,
): number[] {
  const shown: number[] = []
  for (let index = 0; index < lines.length && shown.length < most; index++) {
    shown.push(index)
    const end = lines[index]?.end ?? index
    const holds = current !== null && current > index && current <= end
    if (folded.has(index) && !holds) index = end
  }
  return shown
}
