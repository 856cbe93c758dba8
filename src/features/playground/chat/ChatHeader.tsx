import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconColumns3, IconLayoutSidebarRight, IconMessages, IconPencil } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { APP_MODE_NAMES } from '#domain/platformKeys/appModeNames.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Chat.module.css'
import { chatMessages } from './messages.ts'
import { LazyRenameForm } from './lazyChatParts.ts'
import { AppSelect } from '../AppSelect.tsx'
import { Can } from '../../../client/Can.tsx'

export interface ChatHeaderProps {
  conversation: string | null
  label: string | null
  app: Key
  apps: readonly Key[]
  onApp: (app: string) => void
  /** The user that the conversation belongs to. */
  user: string | null
  /** The URL of a board that compares this app and the focused answer with others. */
  comparePath: string
  onConversations: (() => void) | null
  onInspector: (() => void) | null
}

/** The name and user of the conversation, and buttons for the hidden panes. */
export function ChatHeader(props: ChatHeaderProps) {
  const { conversation, label, app, apps, onApp, user, comparePath, onConversations, onInspector } = props
  const t = useMessages(chatMessages)
  const [isRenaming, setRenaming] = useState<string | null>(null)
  const title = conversation ? label || t('untitled', { id: conversation.slice(0, 8) }) : t('newTitle')
  const mode = APP_MODE_NAMES[app.mode ?? '']
  const about = [...(mode ? [mode] : []), ...(user ? [t('asUser', { user })] : [])]
  if (conversation && isRenaming === conversation)
    return (
      <header className={classes.header}>
        <VisuallyHidden component="h1">{title}</VisuallyHidden>
        <Suspense fallback={<SkeletonRows rows={1} height={30} />}>
          <LazyRenameForm
            app={app.id}
            conversation={conversation}
            label={label ?? ''}
            user={user}
            onDone={() => setRenaming(null)}
          />
        </Suspense>
      </header>
    )
  return (
    <header className={classes.header}>
      <div className={classes.names}>
        <h1 title={title} dir="auto">
          {title}
        </h1>
        <div className={classes.about}>
          <AppSelect label={t('app')} app={app} apps={apps} onApp={onApp} />
          {about.map((words) => (
            <span key={words}>{words}</span>
          ))}
        </div>
      </div>
      <div className={classes.actions}>
        {conversation ? (
          <>
            <span className={classes.wideOnly}>
              <IdChip id={conversation} />
            </span>
            <Can entry={chatEndpoints.rename}>
              <Tooltip label={t('rename')}>
                <ActionIcon aria-label={t('rename')} onClick={() => setRenaming(conversation)}>
                  <IconPencil size={16} />
                </ActionIcon>
              </Tooltip>
            </Can>
          </>
        ) : null}
        <Can entry={savedItemEndpoints.createSavedItem}>
          <Tooltip label={t('compare')}>
            <ActionIcon aria-label={t('compare')} component={Link} to={comparePath}>
              <IconColumns3 size={17} />
            </ActionIcon>
          </Tooltip>
        </Can>
        {onConversations ? (
          <Tooltip label={t('showConversations')}>
            <ActionIcon aria-label={t('showConversations')} onClick={onConversations}>
              <IconMessages size={17} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        {onInspector ? (
          <Tooltip label={t('openInspector')}>
            <ActionIcon aria-label={t('openInspector')} onClick={onInspector}>
              <IconLayoutSidebarRight size={17} />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </div>
    </header>
  )
}
