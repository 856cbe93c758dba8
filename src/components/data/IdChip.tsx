import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './IdChip.module.css'
import { componentMessages } from '../i18n/messages.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { useMessages } from '../i18n/useMessages.ts'

/** An id, short in lists and complete in headers, with a button that copies the complete one. */
export function IdChip({ id, isFull = false }: { id: string; isFull?: boolean }) {
  const t = useMessages(componentMessages)
  return (
    <span className={classes.chip}>
      <span className={classes.id} title={id}>
        {escapeInvisible(isFull ? id : id.slice(0, 8))}
      </span>
      <CopyButton value={id} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('copied') : t('copyId', { id: id.slice(0, 8) })}>
            <ActionIcon size={24} onClick={copy} aria-label={t('copyId', { id: id.slice(0, 8) })}>
              {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  )
}

/** Makes invisible and bidirectional control characters visible, so that an id cannot imitate another. */
const escapeInvisible = (text: string) =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}')
