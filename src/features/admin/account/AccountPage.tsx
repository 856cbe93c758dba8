import { Button, Stack, Text, TextInput, NativeSelect, NumberInput, PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Person, FRESH_SIGN_IN_MINUTES } from '#contract/console/access.ts'
import { type Account, peopleEndpoints } from '#contract/console/people.ts'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { accountMessages } from './messages.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { formatDate } from '#domain/dateFormat.ts'
import { type Role, ROLES } from '#contract/permissions.ts'
import { OneTimeSecret } from '../../../components/overlays/OneTimeSecret.tsx'
import { paths } from '#domain/paths.ts'
import { useSignOut } from '../../../client/useSignOut.ts'

/** `/account`: the person's password, default user, sessions and tokens. */
export function AccountPage() {
  const t = useMessages(accountMessages)
  const read = useRead(peopleEndpoints.readAccount, {})
  const person = read.data?.person
  return (
    <Page title={t('title')} titleSuffix={person ? `${person.name} · ${t(person.role)}` : null}>
      <title>{`${t('title')} · Loupe`}</title>
      <Stack gap={28} maw={860} px="lg" pt="lg" pb={48}>
        <ReadBoundary read={read} action={t('readAccount')} loading={<SkeletonRows rows={5} height={60} />}>
          {(account) => (
            <>
              <AccountSection
                title={t('password')}
                text={t(account.has_password ? 'changeText' : account.is_external ? 'externalSignIn' : 'noPassword')}
              >
                {account.has_password || !account.is_external ? (
                  <PasswordForm
                    key={String(account.has_password)}
                    person={account.person}
                    hasPassword={account.has_password}
                  />
                ) : null}
              </AccountSection>
              <DefaultUserForm person={account.person} />
              <SessionList sessions={account.sessions} />
              <TokenList account={account} />
            </>
          )}
        </ReadBoundary>
      </Stack>
    </Page>
  )
}

/** A part of the page: its heading, what it is for, and its content. */
export function AccountSection({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Text component="h2" fz="lg" fw={600}>
        {title}
      </Text>
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  )
}

function DefaultUserForm({ person }: { person: Person }) {
  const t = useMessages(accountMessages)
  const write = useWrite(peopleEndpoints.updateAccount)
  const form = useContractForm({
    schema: peopleEndpoints.updateAccount.body,
    initialValues: { default_user: person.default_user },
    send: (body) => write.mutateAsync({ body }),
  })
  return (
    <AccountSection title={t('user')} text={t('userHelp')}>
      <InlineForm
        form={form}
        layout="row"
        submitLabel={t('save')}
        isSubmitDisabled={!form.isDirty}
        action={t('saveWhat')}
      >
        <TextInput {...form.field('default_user')} label={null} aria-label={t('user')} maxLength={255} w={280} />
      </InlineForm>
    </AccountSection>
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
    <AccountSection title={t('sessions')} text={t('sessionsText')}>
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
                <Text span inherit display="block" truncate maw={280} title={agent}>
                  {sessionsWithAgent(agent)}
                </Text>
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
    </AccountSection>
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

/** API tokens of the person: created, shown once, revoked. */
function TokenList({ account }: { account: Account }) {
  const { tokens } = account
  const t = useMessages(accountMessages)
  // Here, since a later read may replace the form, and the secret is shown once.
  const createToken = useWrite(peopleEndpoints.createToken)
  const revoke = useWrite(peopleEndpoints.deleteToken)
  return (
    <AccountSection title={t('tokens')} text={t('tokensText')}>
      {account.needs_fresh_sign_in ? <SignInFirst /> : <CreateTokenForm account={account} createToken={createToken} />}
      {createToken.data ? (
        <Stack role="status" maw={420}>
          <b>{t('newToken')}</b>
          <Text c="dimmed">{t('newTokenText')}</Text>
          <OneTimeSecret label={t('newToken')} value={createToken.data.token} />
        </Stack>
      ) : null}
      {tokens.length === 0 ? (
        <Text c="dimmed">{t('noTokens')}</Text>
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
    </AccountSection>
  )
}

/** Replaces the form, which the server would reject. */
function SignInFirst() {
  const t = useMessages(accountMessages)
  const leave = useSignOut(paths.signIn(paths.account()))
  return (
    <>
      <Text c="dimmed">{t('signInFirst', { minutes: FRESH_SIGN_IN_MINUTES })}</Text>
      <Button variant="default" w="fit-content" onClick={leave}>
        {t('signInAgain')}
      </Button>
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
  const form = useContractForm({
    schema: peopleEndpoints.createToken.body,
    initialValues: {
      name: '',
      role: 'viewer' as Role,
      days: Math.min(90, max_token_days) as number | string,
      password: '',
    },
    toBody: ({ password, ...token }) => ({ ...token, ...(has_password ? { password } : {}) }),
    send: (body) => createToken.mutateAsync({ body }),
    onDone: () => form.form.reset({ ...form.form.getValues(), name: '', password: '' }),
  })
  return (
    <InlineForm form={form} layout="row" submitLabel={t('createToken')} action={t('createTokenWhat')}>
      <TextInput {...form.field('name')} label={t('tokenName')} maxLength={80} w={220} />
      <NativeSelect
        {...form.field('role')}
        label={t('tokenRole')}
        data={ROLES.slice(0, ROLES.indexOf(person.role) + 1).map((one) => ({ value: one, label: t(one) }))}
      />
      <NumberInput
        {...form.controlled('days')}
        label={t('days')}
        min={1}
        max={max_token_days}
        allowDecimal={false}
        w={90}
      />
      {has_password ? (
        <PasswordInput
          {...form.field('password')}
          label={t('tokenPassword')}
          description={t('tokenPasswordHelp')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('show') }}
          w={220}
        />
      ) : null}
    </InlineForm>
  )
}
