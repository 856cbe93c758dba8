import { ActionIcon } from '@mantine/core'
import { IconPlus, IconSearch, IconX } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useLetterKeys } from '../../ui/useLetterKeys.ts'
import { useRead } from '../../wire/query.ts'
import { ConversationRow } from './ConversationRow.tsx'
import classes from './Conversations.module.css'
import { type Listed, listedOf } from './listed.ts'
import { RenameForm } from './RenameForm.tsx'
import type { Newest } from './useConversation.ts'
import { part } from '../../ui/part.tsx'
import { useWords } from '../../ui/words.ts'
import { chatWords } from './messages.ts'
import { useMay } from '../../wire/useMay.ts'

const DeleteConversation = part(async () => (await import('./DeleteConversation.tsx')).DeleteConversation)

export interface ConversationsProps {
  workspace: string
  app: Key
  /** The user whose conversations the platform is asked for. */
  user: string
  selected: string | null
  /** The newest run of each conversation; only what did not simply succeed is shown. */
  newest: ReadonlyMap<string, Newest>
  /** Null for somebody who may not ask. */
  onNew: (() => void) | null
}

/** The conversations of an app, newest first: those that this console has met, and those that the platform lists. */
export function Conversations({ workspace, app, user, selected, newest, onNew }: ConversationsProps) {
  const t = useWords(chatWords)
  const navigate = useNavigate()
  const mayRename = useMay()(contract.chat.rename)
  const [search, setSearch] = useState<string | null>(null)
  const [renamed, rename] = useState<string | null>(null)
  const [deleted, remove] = useState<Listed | null>(null)
  useLetterKeys([['/', () => setSearch(search ?? '')]])
  const query = { kind: 'conversation' as const, workspace, parent: app.id, q: search || undefined, limit: 100 }
  const read = useRead(contract.console.listThings, { query }, { poll: 15_000 })
  const isTold = app.offers.includes('listConversations')
  const told = useRead(
    contract.adjacent.listConversations,
    { key: app.id, query: { user, limit: 100 } },
    { enabled: isTold && user !== '', poll: 60_000 },
  )
  const found = listedOf(read.data?.data ?? [], isTold ? (told.data?.data ?? []) : [], search ?? '')
  const userOf = (id: string) => newest.get(id)?.user ?? user
  const nameOf = ({ label, id }: Listed) => label || t('untitled', { id: id.slice(0, 8) })
  const today = new Date().toDateString()
  const groups = [
    { name: t('today'), listed: found.filter(({ at }) => new Date(at).toDateString() === today) },
    { name: t('earlier'), listed: found.filter(({ at }) => new Date(at).toDateString() !== today) },
  ].filter(({ listed }) => listed.length > 0)
  const hidden = (read.data?.total ?? 0) - (read.data?.data.length ?? 0)
  return (
    <nav className={classes.pane} aria-label={t('conversations')}>
      <header className={classes.head}>
        <h2>{t('conversations')}</h2>
        <Tooltip label={search === null ? t('searchConversations') : t('closeSearch')}>
          <ActionIcon
            aria-label={search === null ? t('searchConversations') : t('closeSearch')}
            onClick={() => setSearch(search === null ? '' : null)}
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
      {search === null ? null : (
        <div className={classes.search}>
          <SearchField label={t('searchLabel')} value={search} onSearch={setSearch} autoFocus />
        </div>
      )}
      <div className={classes.list}>
        {read.isPending ? <SkeletonRows rows={6} height={46} /> : null}
        {read.error && !read.data ? (
          <ProblemNote problem={read.error.problem} what={t('listConversations')} onRetry={() => void read.refetch()} />
        ) : null}
        {read.data && found.length === 0 ? (
          <p className={classes.none}>
            <b>{t(search ? 'nothingFound' : 'noConversations')}</b>
            {search ? null : t('noConversationsWhy')}
          </p>
        ) : null}
        {isTold && told.error ? (
          <ProblemNote problem={told.error.problem} what={t('listTold')} onRetry={() => void told.refetch()} />
        ) : null}
        {groups.map(({ name, listed }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <ul>
              {listed.map((one) =>
                renamed === one.id ? (
                  <li key={one.id} className={classes.renaming}>
                    <RenameForm
                      app={app.id}
                      conversation={one.id}
                      label={one.label ?? ''}
                      user={userOf(one.id)}
                      onDone={() => rename(null)}
                    />
                  </li>
                ) : (
                  <ConversationRow
                    key={one.id}
                    listed={one}
                    target={paths.chat({ workspace, app: app.id, conversation: one.id })}
                    isSelected={one.id === selected}
                    state={newest.get(one.id)?.status}
                    onRename={mayRename ? () => rename(one.id) : null}
                    onDelete={app.offers.includes('deleteConversation') ? () => remove(one) : null}
                  />
                ),
              )}
            </ul>
          </section>
        ))}
        {told.data?.has_more ? <p className={classes.none}>{t('toldMore', { count: told.data.data.length })}</p> : null}
        {hidden > 0 ? <p className={classes.none}>{t('hiddenConversations', { count: hidden })}</p> : null}
      </div>
      {read.dataUpdatedAt > 0 ? (
        <footer className={classes.seen}>
          <Refreshed
            busy={read.isFetching || told.isFetching}
            onRefresh={() => void Promise.all([read.refetch(), ...(isTold ? [told.refetch()] : [])])}
          >
            {t.rich('seen', { since: () => <Since at={new Date(read.dataUpdatedAt).toISOString()} /> })}
          </Refreshed>
          {isTold ? <p>{t('toldOf', { user })}</p> : null}
        </footer>
      ) : null}
      {deleted ? (
        <Suspense>
          <DeleteConversation
            app={app.id}
            conversation={deleted.id}
            name={nameOf(deleted)}
            user={userOf(deleted.id)}
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
