import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Person } from '#contract/console/access.ts'
import { type Account, peopleEndpoints } from '#contract/console/people.ts'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import classes from './Account.module.css'
import { accountMessages } from './messages.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { TokenList } from './TokenList.tsx'

/** `/account`: the person's password, default user, sessions and tokens. */
export function AccountPage() {
  const t = useMessages(accountMessages)
  const read = useRead(peopleEndpoints.readAccount, {})
  const person = read.data?.person
  return (
    <Page title={t('title')} titleSuffix={person ? `${person.name} · ${t(person.role)}` : null}>
      <title>{`${t('title')} · Loupe`}</title>
      <div className={classes.account}>
        <ReadBoundary read={read} action={t('readAccount')} loading={<SkeletonRows rows={5} height={60} />}>
          {(account) => (
            <>
              <section aria-label={t('password')}>
                <h2>{t('password')}</h2>
                <p>{t(account.has_password ? 'changeText' : account.is_external ? 'externalSignIn' : 'noPassword')}</p>
                {account.has_password || !account.is_external ? (
                  <PasswordForm
                    key={String(account.has_password)}
                    person={account.person}
                    hasPassword={account.has_password}
                  />
                ) : null}
              </section>
              <DefaultUserForm person={account.person} />
              <SessionList sessions={account.sessions} />
              <TokenList account={account} />
            </>
          )}
        </ReadBoundary>
      </div>
    </Page>
  )
}

function DefaultUserForm({ person }: { person: Person }) {
  const t = useMessages(accountMessages)
  const write = useWrite(peopleEndpoints.updateAccount)
  const [user, setUser] = useState(person.default_user)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    write.mutate({ body: { default_user: user.trim() } })
  }
  return (
    <section aria-label={t('user')}>
      <h2>{t('user')}</h2>
      <p>{t('userHelp')}</p>
      <form className={classes.row} onSubmit={submit}>
        <TextInput
          aria-label={t('user')}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          maxLength={255}
          w={280}
        />
        <Button type="submit" loading={write.isPending} disabled={!user.trim() || user.trim() === person.default_user}>
          {t('save')}
        </Button>
      </form>
      {write.error ? <ProblemAlert problem={write.error.problem} action={t('saveWhat')} isInForm /> : null}
    </section>
  )
}

function SessionList({ sessions }: Pick<Account, 'sessions'>) {
  const t = useMessages(accountMessages)
  const end = useWrite(peopleEndpoints.endSession)
  const sessionsWithAgent = (agent: string) => {
    const userAgent = parseUserAgent(agent)
    return userAgent ? t('browserOn', userAgent) : agent
  }
  return (
    <section aria-label={t('sessions')}>
      <h2>{t('sessions')}</h2>
      <p>{t('sessionsText')}</p>
      <Table
        label={t('sessions')}
        rows={sessions}
        getKey={({ id }) => id}
        isCurrent={({ current }) => current}
        columns={[
          {
            header: t('browser'),
            grows: true,
            cell: ({ agent }) =>
              agent === null ? null : (
                <span className={classes.agent} title={agent}>
                  {sessionsWithAgent(agent)}
                </span>
              ),
          },
          { header: t('from'), isMono: true, cell: ({ address }) => address },
          { header: t('by'), cell: ({ via }) => via },
          { header: t('started'), cell: ({ created_at }) => <RelativeTime at={created_at} /> },
          { header: t('lastSeen'), cell: ({ seen_at }) => <RelativeTime at={seen_at} /> },
          {
            header: t('actions'),
            cell: ({ id, current, address }) =>
              current ? (
                t('current')
              ) : (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={t('endNamed', { address: address ?? '' })}
                  onClick={() => end.mutate({ params: { session_id: id } })}
                >
                  {t('end')}
                </Button>
              ),
          },
        ]}
      />
      {end.error ? <ProblemAlert problem={end.error.problem} action={t('endWhat')} /> : null}
    </section>
  )
}

const BROWSER_PATTERNS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
]
const SYSTEM_PATTERNS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** The browser and the system of a user agent, null if unknown. */
function parseUserAgent(agent: string): { browser: string; version: string; system: string } | null {
  const system = SYSTEM_PATTERNS.find(([, mark]) => mark.test(agent))?.[0]
  for (const [browser, mark] of BROWSER_PATTERNS) {
    const version = mark.exec(agent)?.[1]
    if (version && system) return { browser, version, system }
  }
  return null
}
