import { ActionIcon, Box } from '@mantine/core'
import { IconPlus, IconSearch, IconX, IconCloud, IconPencil, IconTrash } from '@tabler/icons-react'
import { Suspense, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate, Link } from 'react-router'
import { chatEndpoints } from '#contract/platform/chat.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { ReadBoundary } from '../../../../components/layout/ReadBoundary.tsx'
import { RefreshControl } from '../../../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { Tooltip } from '../../../../components/overlays/Tooltip.tsx'
import { useListKeys, listRowAttributes } from '../../../../components/hooks/useListKeys.tsx'
import { useShortcuts } from '../../../../components/hooks/useShortcuts.ts'
import classes from './ConversationList.module.css'
import { type ListedConversation, useConversations } from './useConversations.ts'
import { LazySearchField, LazyRenameForm } from '../lazyChatParts.ts'
import type { RenameFormProps } from '../RenameForm.tsx'
import type { LatestRun } from '../useConversation.ts'
import { useDeleteDialog } from '../../../../components/overlays/useDeleteDialog.ts'
import { useWrite } from '../../../../client/query.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { StatusBadge } from '../../../../components/data/StatusBadge.tsx'

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
  const openDelete = useDeleteDialog()
  const deleteConversation = useWrite(optionalMessageEndpoints.deleteConversation, {
    onDone: (_reply, { params }) => {
      if (params.conversation_id === selected) void navigate(paths.chat({ workspace, app: app.id }), { replace: true })
    },
  })
  const askDelete = ({ id, label }: ListedConversation) =>
    openDelete({
      title: t('deleteTitle', { name: label || t('untitled', { id: id.slice(0, 8) }) }),
      lost: [t('deleteLost', { user: getUser(id) })],
      kept: [t('deleteKept')],
      confirmLabel: t('deleteDo'),
      cancelLabel: t('cancel'),
      action: t('deleteWhat'),
      run: () =>
        deleteConversation.mutateAsync({ key: app.id, params: { conversation_id: id }, body: { user: getUser(id) } }),
    })
  return (
    <nav className={classes.pane} aria-label={t('conversations')}>
      <ConversationListHeader search={search} onSearch={setSearch} onNew={onNew} />
      {search === null ? null : <ConversationSearch value={search} onSearch={setSearch} />}
      <div className={classes.list} ref={rows}>
        <ReadBoundary
          read={read}
          action={t('listConversations')}
          loading={<SkeletonRows rows={6} height={46} />}
          isEmpty={() => isEmpty}
          empty={<NoConversations isSearch={Boolean(search)} isFromPlatform={isFromPlatform} />}
        >
          {() => null}
        </ReadBoundary>
        {isFromPlatform ? (
          <ReadBoundary read={platformConversations} action={t('listPlatformWhat')} loading={null}>
            {() => null}
          </ReadBoundary>
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
                    onDelete={app.offers.includes('deleteConversation') ? () => askDelete(one) : null}
                  />
                ),
              )}
            </ul>
          </section>
        ))}
        {platformConversations.data?.has_more ? (
          <p className={classes.note}>{t('platformListCapped', { count: platformConversations.data.data.length })}</p>
        ) : null}
        {status}
        {hiddenCount > 0 ? <p className={classes.note}>{t('hiddenConversations', { count: hiddenCount })}</p> : null}
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
    <Box component="li" px={4} py="xs">
      <Suspense fallback={<SkeletonRows rows={1} height={30} />}>
        <LazyRenameForm {...props} />
      </Suspense>
    </Box>
  )
}

function NoConversations({ isSearch, isFromPlatform }: { isSearch: boolean; isFromPlatform: boolean }) {
  const t = useMessages(chatMessages)
  return (
    <p className={classes.note}>
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
          <span title={t('byPlatformWhy')}>
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
