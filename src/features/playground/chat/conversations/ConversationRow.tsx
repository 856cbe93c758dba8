import { ActionIcon } from '@mantine/core'
import { IconCloud, IconPencil, IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../../components/data/StatusBadge.tsx'
import { Tooltip } from '../../../../components/overlays/Tooltip.tsx'
import { listRowAttributes } from '../../../../components/hooks/useListKeys.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from './ConversationList.module.css'
import type { ListedConversation } from './conversationList.ts'
import { chatMessages } from '../messages.ts'
import type { LatestRun } from '../useConversation.ts'

export interface ConversationRowProps {
  conversation: ListedConversation
  /** Its place in the list. */
  index: number
  path: string
  isSelected: boolean
  /** Undefined if it is older than the runs that are listed. */
  latestRun: LatestRun | undefined
  /** Null without permission. */
  onRename: (() => void) | null
  /** Null if the platform does not support it. */
  onDelete: (() => void) | null
}

/** A conversation in the list; its name is the link and its only tab stop. Left and right arrows reach the buttons. */
export function ConversationRow(props: ConversationRowProps) {
  const { conversation, index, path, isSelected, latestRun, onRename, onDelete } = props
  const t = useMessages(chatMessages)
  const origin = latestRun?.origin
  const name = conversation.label || t('untitled', { id: conversation.id.slice(0, 8) })
  return (
    <li
      className={classes.row}
      data-selected={isSelected || undefined}
      {...listRowAttributes(index, conversation.id)}
      onKeyDown={moveInRow}
    >
      <Link to={path} aria-current={isSelected ? 'page' : undefined} title={name}>
        {name}
      </Link>
      <span className={classes.about}>
        {latestRun && latestRun.status !== 'succeeded' ? <StatusBadge status={latestRun.status} isPlain /> : null}
        {origin && (origin.kind === 'board' || origin.kind === 'batch') ? (
          <span className={classes.origin} title={t('fromNamed', { kind: t(origin.kind), name: origin.name ?? '' })}>
            {t(origin.kind)}
          </span>
        ) : null}
        {conversation.source === 'platform' ? (
          <span className={classes.by} title={t('byPlatformWhy')}>
            <IconCloud size={13} aria-hidden /> {t('byPlatform')}
          </span>
        ) : null}
        <span className={classes.since}>
          {conversation.updatedAt > 0 ? <RelativeTime at={conversation.updatedAt / 1000} /> : null}
        </span>
      </span>
      <span className={classes.actions}>
        {onRename ? (
          <Tooltip label={t('renameNamed', { name })}>
            <ActionIcon size={24} tabIndex={-1} aria-label={t('renameNamed', { name })} onClick={onRename}>
              <IconPencil size={14} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        {onDelete ? (
          <Tooltip label={t('deleteNamed', { name })}>
            <ActionIcon size={24} tabIndex={-1} aria-label={t('deleteNamed', { name })} onClick={onDelete}>
              <IconTrash size={14} />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </span>
    </li>
  )
}

function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const targets = [...event.currentTarget.querySelectorAll<HTMLElement>('a[href], button')]
  targets[targets.findIndex((target) => target === document.activeElement) + step]?.focus()
}
