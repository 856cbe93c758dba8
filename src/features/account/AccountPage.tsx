import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Account, Person } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead, useWrite } from '../../wire/query.ts'
import classes from './Account.module.css'
import { browserOf } from './browserOf.ts'
import { accountWords } from './messages.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { Tokens } from './Tokens.tsx'

/** `/account`: one's own password, default user, sessions and tokens. */
export function AccountPage() {
  const t = useWords(accountWords)
  const { data, error, refetch } = useRead(contract.console.readAccount, {})
  return (
    <Page title={t('title')} beside={data ? `${data.person.name} · ${t(data.person.role)}` : null}>
      <title>{`${t('title')} · Loupe`}</title>
      <div className={classes.account}>
        {error ? <ProblemNote problem={error.problem} what={t('readAccount')} onRetry={() => void refetch()} /> : null}
        {!data && !error ? <SkeletonRows rows={5} height={60} /> : null}
        {data ? (
          <>
            <section aria-label={t('password')}>
              <h2>{t('password')}</h2>
              <p>{t(data.has_password ? 'changeText' : data.is_elsewhere ? 'elsewhere' : 'noPassword')}</p>
              {data.has_password || !data.is_elsewhere ? (
                <PasswordForm key={String(data.has_password)} person={data.person} hasPassword={data.has_password} />
              ) : null}
            </section>
            <DefaultUser person={data.person} />
            <Sessions sessions={data.sessions} />
            <Tokens account={data} />
          </>
        ) : null}
      </div>
    </Page>
  )
}

function DefaultUser({ person }: { person: Person }) {
  const t = useWords(accountWords)
  const write = useWrite(contract.console.updateAccount)
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
      {write.error ? <ProblemNote problem={write.error.problem} what={t('saveWhat')} isAtForm /> : null}
    </section>
  )
}

function Sessions({ sessions }: Pick<Account, 'sessions'>) {
  const t = useWords(accountWords)
  const end = useWrite(contract.console.endSession)
  const named = (agent: string) => {
    const known = browserOf(agent)
    return known ? t('browserOn', known) : agent
  }
  return (
    <section aria-label={t('sessions')}>
      <h2>{t('sessions')}</h2>
      <p>{t('sessionsText')}</p>
      <Table
        label={t('sessions')}
        rows={sessions}
        keyOf={({ id }) => id}
        isCurrent={({ current }) => current}
        columns={[
          {
            head: t('browser'),
            grow: true,
            cell: ({ agent }) =>
              agent === null ? null : (
                <span className={classes.agent} title={agent}>
                  {named(agent)}
                </span>
              ),
          },
          { head: t('from'), mono: true, cell: ({ address }) => address },
          { head: t('by'), cell: ({ via }) => via },
          { head: t('began'), cell: ({ created_at }) => <Since at={created_at} ago /> },
          { head: t('seen'), cell: ({ seen_at }) => <Since at={seen_at} ago /> },
          {
            head: t('end'),
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
      {end.error ? <ProblemNote problem={end.error.problem} what={t('endWhat')} /> : null}
    </section>
  )
}
