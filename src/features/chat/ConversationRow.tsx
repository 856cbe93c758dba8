import { ActionIcon } from '@mantine/core'
import { IconCloud, IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { RunStatus } from '#contract/runs.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Conversations.module.css'
import type { Listed } from './listed.ts'
import { chatWords } from './messages.ts'

export interface ConversationRowProps {
  listed: Listed
  target: string
  isSelected: boolean
  state: RunStatus | undefined
  /** Null for somebody who may not. */
  onRename: (() => void) | null
  /** Null where the platform does not offer it. */
  onDelete: (() => void) | null
}

/** One conversation in the list: its name is the way to it, the rest is about it. */
export function ConversationRow({ listed, target, isSelected, state, onRename, onDelete }: ConversationRowProps) {
  const t = useWords(chatWords)
  const name = listed.label || t('untitled', { id: listed.id.slice(0, 8) })
  return (
    <li className={classes.row} data-selected={isSelected || undefined}>
      <Link to={target} aria-current={isSelected ? 'page' : undefined} title={name}>
        {name}
      </Link>
      <span className={classes.about}>
        {state && state !== 'succeeded' ? <StateBadge word={state} plain /> : null}
        {listed.by === 'platform' ? (
          <span className={classes.by} title={t('byPlatformWhy')}>
            <IconCloud size={13} aria-hidden /> {t('byPlatform')}
          </span>
        ) : null}
        <span className={classes.since}>{listed.at > 0 ? <Since at={new Date(listed.at).toISOString()} /> : null}</span>
      </span>
      <span className={classes.deeds}>
        {onRename ? (
          <Tooltip label={t('renameNamed', { name })}>
            <ActionIcon size={24} aria-label={t('renameNamed', { name })} onClick={onRename}>
              <IconPencil size={14} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        {onDelete ? (
          <Tooltip label={t('deleteNamed', { name })}>
            <ActionIcon size={24} aria-label={t('deleteNamed', { name })} onClick={onDelete}>
              <IconTrash size={14} />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </span>
    </li>
  )
}
