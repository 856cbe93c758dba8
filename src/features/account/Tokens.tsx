import { Button, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Account, FRESH_SIGN_IN_MINUTES } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { type Role, ROLES } from '#contract/roles.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { Table } from '../../ui/Table.tsx'
import { ToldOnce } from '../../ui/ToldOnce.tsx'
import { useWords } from '../../ui/words.ts'
import { paths } from '../../paths.ts'
import { useWrite } from '../../wire/query.ts'
import { useSignOut } from '../../wire/useSignOut.ts'
import classes from './Account.module.css'
import { accountWords } from './messages.ts'

/** Tokens of one's own scripts: made, shown once, revoked. */
export function Tokens({ account }: { account: Account }) {
  const { tokens } = account
  const t = useWords(accountWords)
  const revoke = useWrite(contract.console.deleteToken)
  return (
    <section aria-label={t('tokens')}>
      <h2>{t('tokens')}</h2>
      <p>{t('tokensText')}</p>
      {account.needs_fresh_sign_in ? <SignInFirst /> : <MakeToken account={account} />}
      {tokens.length === 0 ? (
        <p>{t('noTokens')}</p>
      ) : (
        <Table
          label={t('tokens')}
          rows={tokens}
          keyOf={({ id }) => id}
          columns={[
            { head: t('tokenName'), grow: true, cell: ({ name }) => name },
            { head: t('hint'), mono: true, cell: ({ hint }) => hint },
            { head: t('tokenRole'), cell: ({ role }) => t(role) },
            { head: t('expires'), cell: ({ expires_at }) => new Date(expires_at).toLocaleDateString() },
            { head: t('used'), cell: ({ used_at }) => (used_at ? <Since at={used_at} ago /> : t('never')) },
            {
              head: t('revokeDo'),
              cell: ({ id, name }) => (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={t('revoke', { name })}
                  onClick={() => revoke.mutate({ params: { token_id: id } })}
                >
                  {t('revokeDo')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {revoke.error ? <ProblemNote problem={revoke.error.problem} what={t('revokeWhat')} /> : null}
    </section>
  )
}

/** In the place of the form, which would be refused. */
function SignInFirst() {
  const t = useWords(accountWords)
  const leave = useSignOut(() => location.assign(paths.signIn(paths.account())))
  return (
    <>
      <p>{t('signInFirst', { minutes: FRESH_SIGN_IN_MINUTES })}</p>
      <div>
        <Button variant="default" onClick={leave}>
          {t('signInAgain')}
        </Button>
      </div>
    </>
  )
}

function MakeToken({ account: { person, has_password, max_token_days } }: { account: Account }) {
  const t = useWords(accountWords)
  const make = useWrite(contract.console.createToken)
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [days, setDays] = useState<string | number>(Math.min(90, max_token_days))
  const problem = make.error?.problem
  const wrong = problem?.fields?.find(({ path }) => path === 'body.password')?.message
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const password = String(new FormData(form).get('password') ?? '')
    make.mutate(
      { body: { name: name.trim(), role, days: Number(days), ...(has_password ? { password } : {}) } },
      {
        onSuccess: () => {
          setName('')
          form.reset()
        },
      },
    )
  }
  return (
    <>
      <form className={classes.row} onSubmit={submit}>
        <TextInput
          label={t('tokenName')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={80}
          w={220}
        />
        <NativeSelect
          label={t('tokenRole')}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
          data={ROLES.slice(0, ROLES.indexOf(person.role) + 1).map((one) => ({ value: one, label: t(one) }))}
        />
        <NumberInput
          label={t('days')}
          value={days}
          onChange={setDays}
          min={1}
          max={max_token_days}
          allowDecimal={false}
          w={90}
        />
        {has_password ? (
          <PasswordInput
            name="password"
            label={t('tokenPassword')}
            description={t('tokenPasswordHelp')}
            autoComplete="current-password"
            error={wrong}
            visibilityToggleButtonProps={{ 'aria-label': t('show') }}
            w={220}
          />
        ) : null}
        <Button type="submit" loading={make.isPending} disabled={!name.trim() || !days}>
          {t('make')}
        </Button>
      </form>
      {problem && !wrong ? <ProblemNote problem={problem} what={t('makeWhat')} isAtForm /> : null}
      {make.data ? (
        <div role="status" className={classes.narrow}>
          <b>{t('made')}</b>
          <p>{t('madeText')}</p>
          <ToldOnce label={t('made')} value={make.data.token} />
        </div>
      ) : null}
    </>
  )
}
