import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react'
import { readBlock } from '#contract/frame.ts'
import { RawJson } from '../../ui/RawJson.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { hexLines } from './bytes.ts'
import classes from './Frames.module.css'
import { framesWords } from './messages.ts'
import { wordField } from './rows.ts'
import { type FrameTable, rangeOf } from './table.ts'
import { sizeWords } from './times.ts'

const BYTES = 4096

/** One frame as it came: its data with the marker on the words it gave, or its bytes where they are no text. */
export function FrameDetail({ table, seq, onClose }: { table: FrameTable; seq: number; onClose: () => void }) {
  const t = useWords(framesWords)
  const frame = table.frames[seq - 1]
  if (!frame) return null
  const range = rangeOf(table, seq)
  const field = wordField(frame.block)
  const { data } = readBlock(frame.block)
  const event = table.events[seq - 1]
  const hex = frame.raw === undefined ? null : hexLines(frame.raw, BYTES)
  return (
    <section className={classes.detail} aria-label={t('frame', { seq })}>
      <header className={classes.detailHead}>
        <b>{t('frame', { seq })}</b>
        {event ? <code data-kind={table.kinds[seq - 1]}>{event}</code> : null}
        <span>
          {sizeWords(frame.bytes)} B · {(frame.at / 1000).toFixed(3)} s
        </span>
        {range ? (
          <mark className={classes.adds}>{t('adds', { count: range.to - range.from, at: range.from })}</mark>
        ) : field && table.kinds[seq - 1] !== 'event' ? (
          <span>{t('gone')}</span>
        ) : null}
        <span className={classes.tools}>
          <CopyButton value={frame.block} timeout={1500}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? t('copied') : t('copyBlock')}>
                <ActionIcon size={24} onClick={copy} aria-label={t('copyBlock')}>
                  {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
          <ActionIcon size={24} onClick={onClose} aria-label={t('closeFrame')}>
            <IconX size={14} />
          </ActionIcon>
        </span>
      </header>
      {hex ? (
        <div className={classes.hex} tabIndex={0} role="region" aria-label={t('hexOf', { seq })}>
          <p>{t('bytes')}</p>
          <pre>{hex.lines.join('\n')}</pre>
          {hex.size > BYTES ? <p>{t('moreBytes', { shown: BYTES, count: hex.size })}</p> : null}
        </div>
      ) : (
        <RawJson
          text={data ?? frame.block}
          label={t('json', { seq })}
          flush
          {...(range && field ? { marked: field } : {})}
        />
      )}
    </section>
  )
}
