import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { uiWords } from '../messages.ts'
import classes from '../RawJson.module.css'
import { useWords } from '../words.ts'
import type { JsonLine } from './lines.ts'

/** A string above this many characters shows its beginning and its length. */
const LONG = 400
const BEGINNING = 160

export interface TreeLineProps {
  number: number
  line: JsonLine
  isFolded: boolean
  isMarked: boolean
  isCurrent: boolean
  onFold: () => void
}

/** One line of a record, with its number. */
export function TreeLine({ number, line, isFolded, isMarked, isCurrent, onFold }: TreeLineProps) {
  const t = useWords(uiWords)
  const [isWhole, setWhole] = useState(false)
  const { depth, key, kind, value, comma, size } = line
  const opens = kind === 'open'
  const isLong = kind === 'string' && value.length > LONG
  return (
    <div
      className={classes.line}
      style={{ paddingInlineStart: `${Math.min(depth, 40) * 14 + 52}px` }}
      data-marked={isMarked || undefined}
      data-current={isCurrent || undefined}
    >
      <span className={classes.number} aria-hidden>
        {number}
      </span>
      {opens ? (
        <button
          type="button"
          className={classes.fold}
          style={{ insetInlineStart: `${Math.min(depth, 40) * 14 + 36}px` }}
          aria-expanded={!isFolded}
          aria-label={t('foldLine', { number })}
          onClick={onFold}
        >
          {isFolded ? <IconChevronRight size={12} /> : <IconChevronDown size={12} />}
        </button>
      ) : null}
      {key === null ? null : (
        <>
          <span data-token="key">{key}</span>
          {': '}
        </>
      )}
      <span data-token={kind} dir={kind === 'string' ? 'auto' : undefined}>
        {isLong && !isWhole ? `${value.slice(0, BEGINNING)}…` : value}
      </span>
      {isLong ? (
        <button type="button" className={classes.length} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {t('characters', { count: value.length - 2 })}
        </button>
      ) : null}
      {isFolded ? (
        <span className={classes.folded}>
          {t('things', { count: size })} {value === '{' ? '}' : ']'}
        </span>
      ) : null}
      {comma && !isFolded ? ',' : ''}
    </div>
  )
}
