import { ActionIcon } from '@mantine/core'
import { IconPlus, IconSearch, IconX } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { chatEndpoints } from '#contract/platform/chat.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { RefreshControl } from '../../../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { Tooltip } from '../../../../components/overlays/Tooltip.tsx'
import { useListKeys } from '../../../../components/hooks/useListKeys.tsx'
import { useShortcuts } from '../../../../components/hooks/useShortcuts.ts'
import { ConversationRow } from './ConversationRow.tsx'
import classes from './ConversationList.module.css'
import type { ListedConversation } from './conversationList.ts'
import { LazySearchField } from '../lazyChatParts.ts'
import { LazyRenameForm } from '../lazyRenameForm.ts'
import type { RenameFormProps } from '../RenameForm.tsx'
import type { LatestRun } from '../useConversation.ts'
import { lazyWithPreload } from '../../../../components/layout/lazyWithPreload.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { useConversations } from './useConversations.ts'

const LazyDeleteConversation = lazyWithPreload(
  async () => (await import('./DeleteConversation.tsx')).DeleteConversation,
)

export interface ConversationListProps {
  workspace: string
  app: Key
  /** The user whose conversations are listed. */
  user: string
  selected: string | null
  /** The name that the selected one has in the header. */
  selectedLabel: string | null
  /** The newest run of each conversation; only other states than success are shown, and boards and batches as origins. */
  latestRuns: ReadonlyMap<string, LatestRun>
  /** Null without permission to send. */
  onNew: (() => void) | null
}

/** The conversations of an app, newest first, from the ledger and from the platform. */
export function ConversationList(props: ConversationListProps) {
  const { workspace, app, user, selected, selectedLabel, latestRuns, onNew } = props
  const t = useMessages(chatMessages)
  const navigate = useNavigate()
  const canRename = usePermission()(chatEndpoints.rename)
  const [search, setSearch] = useState<string | null>(null)
  const [renamed, rename] = useState<string | null>(null)
  const [deleted, remove] = useState<ListedConversation | null>(null)
  useShortcuts([['/', () => setSearch(search ?? '')]])
  const { read, isFromPlatform, platformConversations, groups, isEmpty, hiddenCount } = useConversations(
    workspace,
    app,
    user,
    search,
  )
  const rows = useRef<HTMLDivElement>(null)
  const listed = groups.flatMap((group) => group.listed)
  const { status } = useListKeys({
    container: rows,
    count: listed.length,
    getId: (index) => listed[index]?.id,
    onEdit: canRename ? (index) => rename(listed[index]?.id ?? null) : undefined,
  })
  const getUser = (id: string) => latestRuns.get(id)?.user ?? user
  const getName = ({ label, id }: ListedConversation) => label || t('untitled', { id: id.slice(0, 8) })
  return (
    <nav className={classes.pane} aria-label={t('conversations')}>
      <ConversationListHeader search={search} onSearch={setSearch} onNew={onNew} />
      {search === null ? null : <ConversationSearch value={search} onSearch={setSearch} />}
      <div className={classes.list} ref={rows}>
        {read.isPending ? <SkeletonRows rows={6} height={46} /> : null}
        {read.error && !read.data ? (
          <ProblemAlert
            problem={read.error.problem}
            action={t('listConversations')}
            onRetry={() => void read.refetch()}
          />
        ) : null}
        {read.data && isEmpty ? <NoConversations isSearch={Boolean(search)} isFromPlatform={isFromPlatform} /> : null}
        {isFromPlatform && platformConversations.error ? (
          <ProblemAlert
            problem={platformConversations.error.problem}
            action={t('listPlatformWhat')}
            onRetry={() => void platformConversations.refetch()}
          />
        ) : null}
        {groups.map((group) => (
          <section key={group.name} aria-label={group.name}>
            <h3>{group.name}</h3>
            <ul>
              {group.listed.map((one) =>
                renamed === one.id ? (
                  <RenamedConversation
                    key={one.id}
                    app={app.id}
                    conversation={one.id}
                    label={one.label ?? ''}
                    user={getUser(one.id)}
                    onDone={() => rename(null)}
                  />
                ) : (
                  <ConversationRow
                    key={one.id}
                    index={listed.indexOf(one)}
                    conversation={one.id === selected && selectedLabel ? { ...one, label: selectedLabel } : one}
                    path={paths.chat({ workspace, app: app.id, conversation: one.id })}
                    isSelected={one.id === selected}
                    latestRun={latestRuns.get(one.id)}
                    onRename={canRename ? () => rename(one.id) : null}
                    onDelete={app.offers.includes('deleteConversation') ? () => remove(one) : null}
                  />
                ),
              )}
            </ul>
          </section>
        ))}
        {platformConversations.data?.has_more ? (
          <p className={classes.none}>{t('platformListCapped', { count: platformConversations.data.data.length })}</p>
        ) : null}
        {status}
        {hiddenCount > 0 ? <p className={classes.none}>{t('hiddenConversations', { count: hiddenCount })}</p> : null}
      </div>
      {read.dataUpdatedAt > 0 ? (
        <footer className={classes.seen}>
          <RefreshControl
            isBusy={read.isFetching || platformConversations.isFetching}
            onRefresh={() =>
              void Promise.all([read.refetch(), ...(isFromPlatform ? [platformConversations.refetch()] : [])])
            }
          >
            {t.rich(isFromPlatform ? 'seenAndListed' : 'seen', {
              since: () => <RelativeTime at={new Date(read.dataUpdatedAt).toISOString()} />,
            })}
          </RefreshControl>
          {isFromPlatform ? <p>{t('platformConversations', { user })}</p> : null}
        </footer>
      ) : null}
      {deleted ? (
        <Suspense>
          <LazyDeleteConversation
            app={app.id}
            conversation={deleted.id}
            name={getName(deleted)}
            user={getUser(deleted.id)}
            onClose={() => remove(null)}
            onDeleted={() => {
              remove(null)
              if (deleted.id === selected) void navigate(paths.chat({ workspace, app: app.id }), { replace: true })
            }}
          />
        </Suspense>
      ) : null}
    </nav>
  )
}

function ConversationSearch({ value, onSearch }: { value: string; onSearch: (search: string) => void }) {
  const t = useMessages(chatMessages)
  return (
    <div className={classes.search}>
      <Suspense fallback={<SkeletonRows rows={1} height={30} />}>
        <LazySearchField label={t('searchLabel')} value={value} onSearch={onSearch} autoFocus />
      </Suspense>
    </div>
  )
}

function RenamedConversation(props: RenameFormProps) {
  return (
    <li className={classes.renaming}>
      <Suspense fallback={<SkeletonRows rows={1} height={30} />}>
        <LazyRenameForm {...props} />
      </Suspense>
    </li>
  )
}

function NoConversations({ isSearch, isFromPlatform }: { isSearch: boolean; isFromPlatform: boolean }) {
  const t = useMessages(chatMessages)
  return (
    <p className={classes.none}>
      <b>{t(isSearch ? 'noConversationFound' : 'noConversations')}</b>
      {isSearch ? null : t(isFromPlatform ? 'noConversationsListed' : 'noConversationsWhy')}
    </p>
  )
}

interface ConversationListHeaderProps {
  search: string | null
  onSearch: (search: string | null) => void
  onNew: (() => void) | null
}

function ConversationListHeader({ search, onSearch, onNew }: ConversationListHeaderProps) {
  const t = useMessages(chatMessages)
  return (
    <header className={classes.head}>
      <h2>{t('conversations')}</h2>
      <Tooltip label={search === null ? t('searchConversations') : t('closeSearch')}>
        <ActionIcon
          aria-label={search === null ? t('searchConversations') : t('closeSearch')}
          onClick={() => onSearch(search === null ? '' : null)}
        >
          {search === null ? <IconSearch size={16} /> : <IconX size={16} />}
        </ActionIcon>
      </Tooltip>
      {onNew ? (
        <Tooltip label={t('newConversation')}>
          <ActionIcon variant="default" aria-label={t('newConversation')} onClick={onNew}>
            <IconPlus size={16} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </header>
  )
}
