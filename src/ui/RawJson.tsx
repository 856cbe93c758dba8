import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import classes from './RawJson.module.css'
import { Tooltip } from './Tooltip.tsx'

const MOST = 20_000

/** A record as it came, in the order in which it came, with its size before it. Long ones show their beginning; copy gives all. */
export function RawJson({ value, label }: { value: unknown; label: string }) {
  const t = useTranslations('ui')
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  const lines = text.slice(0, MOST).split('\n')
  return (
    <div className={classes.json}>
      <div className={classes.head}>
        <span>
          {text.length > MOST
            ? t('jsonPart', { size: kilobytes(text), shown: MOST / 1000 })
            : t('jsonSize', { size: kilobytes(text) })}
        </span>
        <CopyButton value={text} timeout={1500}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t('copied') : t('copyJson')}>
              <ActionIcon size={24} onClick={copy} aria-label={t('copyJson')}>
                {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </div>
      <pre className={classes.code} tabIndex={0} aria-label={label}>
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </pre>
    </div>
  )
}

/** `  "key": value,` as JSON.stringify writes it: what stands before the value, the value, what stands after it. */
const LINE = /^(\s*(?:"(?:[^"\\]|\\.)*": )?)(.*?)(,?)$/

function Line({ line }: { line: string }) {
  const [, before = '', value = line, after = ''] = LINE.exec(line) ?? []
  return (
    <span className={classes.line}>
      {before}
      <span data-token={tokenOf(value)}>{value}</span>
      {after}
      {'\n'}
    </span>
  )
}

function tokenOf(value: string): string | undefined {
  if (value.startsWith('"')) return 'string'
  if (/^-?\d/.test(value)) return 'number'
  return /^(true|false|null)$/.test(value) ? 'word' : undefined
}

const kilobytes = (text: string): string => (new Blob([text]).size / 1000).toFixed(1)
