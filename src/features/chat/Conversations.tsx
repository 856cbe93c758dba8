import { ActionIcon } from '@mantine/core'
import { IconPlus, IconSearch, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Thing } from '#contract/console.ts'
import type { RunStatus } from '#contract/runs.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useLetterKeys } from '../../ui/useLetterKeys.ts'
import { useRead } from '../../wire/query.ts'
import classes from './Conversations.module.css'

export interface ConversationsProps {
  workspace: string
  app: string
  selected: string | null
  /** How the newest run of a conversation stands; only what did not simply succeed is shown. */
  states: ReadonlyMap<string, RunStatus>
  onNew: () => void
}

/** The conversations of an app that this console has met, newest first. */
export function Conversations({ workspace, app, selected, states, onNew }: ConversationsProps) {
  const t = useTranslations('chat')
  const [search, setSearch] = useState<string | null>(null)
  useLetterKeys([['/', () => setSearch(search ?? '')]])
  const query = { kind: 'conversation' as const, workspace, parent: app, q: search || undefined, limit: 100 }
  const read = useRead(contract.console.listThings, { query }, { poll: 15_000 })
  const found = read.data?.data ?? []
  const today = new Date().toDateString()
  const groups = [
    { name: t('today'), things: found.filter(({ last_seen }) => new Date(last_seen).toDateString() === today) },
    { name: t('earlier'), things: found.filter(({ last_seen }) => new Date(last_seen).toDateString() !== today) },
  ].filter(({ things }) => things.length > 0)
  const hidden = (read.data?.total ?? 0) - found.length
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
        <Tooltip label={t('newConversation')}>
          <ActionIcon variant="default" aria-label={t('newConversation')} onClick={onNew}>
            <IconPlus size={16} />
          </ActionIcon>
        </Tooltip>
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
        {groups.map(({ name, things }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <ul>
              {things.map((thing) => (
                <Row
                  key={thing.id}
                  thing={thing}
                  target={paths.chat({ workspace, app, conversation: thing.id })}
                  isSelected={thing.id === selected}
                  state={states.get(thing.id)}
                />
              ))}
            </ul>
          </section>
        ))}
        {hidden > 0 ? <p className={classes.none}>{t('hiddenConversations', { count: hidden })}</p> : null}
      </div>
      {read.dataUpdatedAt > 0 ? (
        <footer className={classes.seen}>
          <Refreshed busy={read.isFetching} onRefresh={() => void read.refetch()}>
            {t.rich('seen', { since: () => <Since at={new Date(read.dataUpdatedAt).toISOString()} /> })}
          </Refreshed>
        </footer>
      ) : null}
    </nav>
  )
}

interface RowProps {
  thing: Thing
  target: string
  isSelected: boolean
  state: RunStatus | undefined
}

function Row({ thing, target, isSelected, state }: RowProps) {
  const t = useTranslations('chat')
  return (
    <li className={classes.row} data-selected={isSelected || undefined}>
      <Link to={target} aria-current={isSelected ? 'page' : undefined} title={thing.label ?? thing.id}>
        {thing.label || t('untitled', { id: thing.id.slice(0, 8) })}
      </Link>
      <span className={classes.about}>
        {state && state !== 'succeeded' ? <StateBadge word={state} plain /> : null}
        <span className={classes.since}>
          <Since at={thing.last_seen} />
        </span>
      </span>
    </li>
  )
}
