import { formatDate } from '#domain/dateFormat.ts'
import { Button, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FRESH_SIGN_IN_MINUTES } from '#contract/console/access.ts'
import { type Account, peopleEndpoints } from '#contract/console/people.ts'
import { type Role, ROLES } from '#contract/permissions.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { OneTimeSecret } from '../../../components/overlays/OneTimeSecret.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { paths } from '#domain/paths.ts'
import { useWrite } from '../../../client/query.ts'
import { useSignOut } from '../../../client/useSignOut.ts'
import classes from './Account.module.css'
import { accountMessages } from './messages.ts'

/** API tokens of the person: created, shown once, revoked. */
export function TokenList({ account }: { account: Account }) {
  const { tokens } = account
  const t = useMessages(accountMessages)
  // Here, since a later read may replace the form, and the secret is shown once.
  const createToken = useWrite(peopleEndpoints.createToken)
  const revoke = useWrite(peopleEndpoints.deleteToken)
  return (
    <section aria-label={t('tokens')}>
      <h2>{t('tokens')}</h2>
      <p>{t('tokensText')}</p>
      {account.needs_fresh_sign_in ? <SignInFirst /> : <CreateTokenForm account={account} createToken={createToken} />}
      {createToken.data ? (
        <div role="status" className={classes.narrow}>
          <b>{t('newToken')}</b>
          <p>{t('newTokenText')}</p>
          <OneTimeSecret label={t('newToken')} value={createToken.data.token} />
        </div>
      ) : null}
      {tokens.length === 0 ? (
        <p>{t('noTokens')}</p>
      ) : (
        <Table
          label={t('tokens')}
          rows={tokens}
          getKey={({ id }) => id}
          columns={[
            { header: t('tokenName'), grows: true, cell: ({ name }) => name },
            { header: t('hint'), isMono: true, cell: ({ hint }) => hint },
            { header: t('tokenRole'), cell: ({ role }) => t(role) },
            { header: t('expires'), cell: ({ expires_at }) => formatDate(expires_at) },
            {
              header: t('used'),
              cell: ({ used_at }) => (used_at ? <RelativeTime at={used_at} /> : t('never')),
            },
            {
              header: t('actions'),
              cell: ({ id, name }) => (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={t('revoke', { name })}
                  loading={revoke.isPending && revoke.variables.params.token_id === id}
                  onClick={() => revoke.mutate({ params: { token_id: id } })}
                >
                  {t('revokeDo')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {revoke.error ? <ProblemAlert problem={revoke.error.problem} action={t('revokeWhat')} /> : null}
    </section>
  )
}

/** Replaces the form, which the server would reject. */
function SignInFirst() {
  const t = useMessages(accountMessages)
  const leave = useSignOut(paths.signIn(paths.account()))
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

interface CreateTokenFormProps {
  account: Account
  createToken: ReturnType<typeof useWrite<typeof peopleEndpoints.createToken>>
}

function CreateTokenForm({ account, createToken }: CreateTokenFormProps) {
  const { person, has_password, max_token_days } = account
  const t = useMessages(accountMessages)
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [days, setDays] = useState<string | number>(Math.min(90, max_token_days))
  const problem = createToken.error?.problem
  const wrong = problem?.fields?.find(({ path }) => path === 'body.password')?.message
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const password = String(new FormData(form).get('password') ?? '')
    createToken.mutate(
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
        <Button type="submit" loading={createToken.isPending} disabled={!name.trim() || !days}>
          {t('createToken')}
        </Button>
      </form>
      {problem && !wrong ? <ProblemAlert problem={problem} action={t('createTokenWhat')} isInForm /> : null}
    </>
  )
}
