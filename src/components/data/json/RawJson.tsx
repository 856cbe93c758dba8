import { ActionIcon, CopyButton, SegmentedControl, TextInput } from '@mantine/core'
import { IconCheck, IconCopy, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { formatBytes } from '#domain/metricFormat.ts'
import { toJsonLines, toSearchText } from './jsonLines.ts'
import { RawText } from './RawText.tsx'
import { JsonTree } from './JsonTree.tsx'
import { jsonMessages } from './messages.ts'
import classes from './RawJson.module.css'
import { Tooltip } from '../../overlays/Tooltip.tsx'
import { useMessages } from '../../i18n/useMessages.ts'

export interface RawJsonProps {
  label: string
  /** The record. If available, `text` is the original JSON, with its exact digits and key order. */
  value?: unknown
  text?: string
  /** The name of the field to highlight. */
  highlightedKey?: string
  /** Without a border and a height of its own. */
  isFlush?: boolean
}

/** A JSON record: its size, then its lines, which fold and can be searched. Copy returns all of it. */
export function RawJson({ value, text, label, highlightedKey, isFlush = false }: RawJsonProps) {
  const t = useMessages(jsonMessages)
  const source = useMemo(() => text ?? JSON.stringify(value, null, 2) ?? 'undefined', [text, value])
  const lines = useMemo(() => toJsonLines(source), [source])
  const [view, setView] = useState<'tree' | 'raw'>('tree')
  const [search, setSearch] = useState<{ words: string; at: number } | null>(null)
  const matches = useMemo(() => {
    const words = search?.words.toLowerCase() ?? ''
    if (words === '' || !lines) return []
    return lines.flatMap((line, index) => (toSearchText(line).toLowerCase().includes(words) ? [index] : []))
  }, [lines, search?.words])
  const matchIndex = search && matches.length > 0 ? search.at % matches.length : 0
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setSearch(null)
    if (event.key !== 'Enter' || !search || matches.length === 0) return
    const selectMatch = event.shiftKey ? matches.length - 1 : 1
    setSearch({ ...search, at: (matchIndex + selectMatch) % matches.length })
  }
  const isTree = lines !== null && view === 'tree'
  return (
    <div className={classes.json} data-flush={isFlush || undefined}>
      <div className={classes.head}>
        <span className={classes.size}>{formatBytes(new Blob([source]).size)}</span>
        {lines ? null : <span>{t('notJson')}</span>}
        <span className={classes.tools}>
          {isTree && search ? (
            <>
              <span className={classes.hits} aria-live="polite">
                {search.words === ''
                  ? ''
                  : t('hits', { at: matches.length === 0 ? 0 : matchIndex + 1, count: matches.length })}
              </span>
              <TextInput
                className={classes.search}
                size="xs"
                autoFocus
                aria-label={t('searchJson', { label })}
                value={search.words}
                onChange={(event) => setSearch({ words: event.currentTarget.value, at: 0 })}
                onKeyDown={onKeyDown}
              />
            </>
          ) : null}
          {isTree ? (
            <Tooltip label={t('searchJson', { label })}>
              <ActionIcon
                size={24}
                aria-label={t('searchJson', { label })}
                aria-expanded={search !== null}
                onClick={() => setSearch(search ? null : { words: '', at: 0 })}
              >
                <IconSearch size={13} />
              </ActionIcon>
            </Tooltip>
          ) : null}
          {lines ? (
            <SegmentedControl
              size="xs"
              aria-label={t('jsonView', { label })}
              value={view}
              onChange={(next) => setView(next === 'raw' ? 'raw' : 'tree')}
              data={[
                { value: 'tree', label: t('jsonTree') },
                { value: 'raw', label: t('jsonRaw') },
              ]}
            />
          ) : null}
          <CopyButton value={source} timeout={1500}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? t('copied') : t('copyJson')}>
                <ActionIcon size={24} onClick={copy} aria-label={t('copyJson')}>
                  {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
        </span>
      </div>
      {isTree ? (
        <JsonTree
          lines={lines}
          label={label}
          highlightedKey={highlightedKey}
          current={search && matches.length > 0 ? (matches[matchIndex] ?? null) : null}
        />
      ) : (
        <RawText text={source} label={label} />
      )}
    </div>
  )
}
