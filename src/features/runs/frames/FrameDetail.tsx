import { ActionIcon, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react'
import { closeCutJson, MAX_EVENT_BYTES } from '#domain/stream/cutEvent.ts'
import { parseSseBlock } from '#domain/stream/sseBlock.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Frames.module.css'
import { framesMessages } from './messages.ts'
import { findTextField } from './frameRows.ts'
import { type FrameTable, getTextRange } from './frameTable.ts'
import { formatCut, formatSize } from './frameStatistics.ts'

const MAX_HEX_BYTES = 4096

/** One frame: its data with the contributed text highlighted, or a hex dump if it is not text. */
export function FrameDetail({ table, seq, onClose }: { table: FrameTable; seq: number; onClose: () => void }) {
  const t = useMessages(framesMessages)
  const frame = table.frames[seq - 1]
  if (!frame) return null
  const range = getTextRange(table, seq)
  const { data, cut: cutMark } = parseSseBlock(frame.block)
  const cut = frame.bytes > MAX_EVENT_BYTES ? cutMark : null
  const json = (cut && closeCutJson(data ?? '')) || data
  const field = findTextField(json)
  const event = table.events[seq - 1]
  const hex = frame.raw === undefined ? null : toHexLines(frame.raw, MAX_HEX_BYTES)
  return (
    <section className={classes.detail} aria-label={t('frame', { seq })}>
      <Group component="header" className={classes.detailHead} gap="2px 10px" pl="md" pr="sm" fz="sm" c="dimmed">
        <b>{t('frame', { seq })}</b>
        {event ? <code data-kind={table.kinds[seq - 1]}>{event}</code> : null}
        <span>
          {formatSize(frame.bytes)} B · {(frame.at / 1000).toFixed(3)} s
        </span>
        {cut ? <mark className={classes.cut}>{t('cut', formatCut(cut))}</mark> : null}
        {range ? (
          <mark className={classes.adds}>{t('adds', { count: range.to - range.from, at: range.from })}</mark>
        ) : field && table.kinds[seq - 1] !== 'event' ? (
          <span>{t('gone')}</span>
        ) : null}
        <Group component="span" gap={0} ml="auto">
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
        </Group>
      </Group>
      {hex ? (
        <div className={classes.hex} tabIndex={0} role="region" aria-label={t('hexOf', { seq })}>
          <p>{t('bytes')}</p>
          <pre>{hex.lines.join('\n')}</pre>
          {hex.size > MAX_HEX_BYTES ? <p>{t('moreBytes', { shown: MAX_HEX_BYTES, count: hex.size })}</p> : null}
        </div>
      ) : (
        <RawJson
          text={json ?? frame.block}
          label={t('json', { seq })}
          isFlush
          {...(range && field ? { highlightedKey: field } : {})}
        />
      )}
    </section>
  )
}

/** A hex dump of base64 data in lines of 16 bytes: `offset  hex  text`. At most `maxBytes` bytes. */
function toHexLines(base64: string, maxBytes: number): { lines: string[]; size: number } {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const lines: string[] = []
  for (let at = 0; at < Math.min(bytes.length, maxBytes); at += 16) {
    const part = [...bytes.subarray(at, at + 16)]
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${text}`)
  }
  return { lines, size: bytes.length }
}
