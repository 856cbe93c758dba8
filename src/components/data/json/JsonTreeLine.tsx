import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { jsonMessages } from './messages.ts'
import classes from './RawJson.module.css'
import { useMessages } from '../../i18n/useMessages.ts'
import type { JsonLine } from './jsonLines.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** A longer string is truncated and shows its length. */
const LONG_STRING_CHARS = 400
const PREVIEW_CHARS = 160

export interface JsonTreeLineProps {
  number: number
  line: JsonLine
  isFolded: boolean
  isHighlighted: boolean
  isCurrent: boolean
  onToggle: () => void
}

/** One line of a record, with its number. */
export function JsonTreeLine({ number, line, isFolded, isHighlighted, isCurrent, onToggle }: JsonTreeLineProps) {
  const t = useMessages(jsonMessages)
  const [isExpanded, setExpanded] = useState(false)
  const { depth, key, kind, value, comma, size } = line
  const isOpening = kind === 'open'
  const isLong = kind === 'string' && value.length > LONG_STRING_CHARS
  return (
    <div
      className={classes.line}
      style={{ paddingInlineStart: `${Math.min(depth, 40) * 14 + 52}px` }}
      data-marked={isHighlighted || undefined}
      data-current={isCurrent || undefined}
    >
      <span className={classes.number} aria-hidden>
        {number}
      </span>
      {isOpening ? (
        <button
          type="button"
          className={classes.fold}
          style={{ insetInlineStart: `${Math.min(depth, 40) * 14 + 36}px` }}
          aria-expanded={!isFolded}
          aria-label={t('collapseLine', { number })}
          onClick={onToggle}
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
        {isLong && !isExpanded ? `${truncateText(value, PREVIEW_CHARS)}…` : value}
      </span>
      {isLong ? (
        <button
          type="button"
          className={classes.length}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {t('characters', { count: value.length - 2 })}
        </button>
      ) : null}
      {isFolded ? (
        <span className={classes.folded}>
          {t('items', { count: size })} {value === '{' ? '}' : ']'}
        </span>
      ) : null}
      {comma && !isFolded ? ',' : ''}
    </div>
  )
}
