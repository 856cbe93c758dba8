import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { PROVIDER_PATH, type Refusal, REFUSALS } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { Logo } from '../../ui/Logo.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead, useWrite } from '../../wire/query.ts'
import { About } from './About.tsx'
import { destination } from './destination.ts'
import { accessWords } from './messages.ts'
import classes from './SignInPage.module.css'

/** Signs in by a link's token (at once when it stands behind `#`), or by name and password where somebody has one. */
export function SignInPage() {
  const t = useWords(accessWords)
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [search] = useSearchParams()
  const client = useQueryClient()
  const signIn = useWrite(contract.console.signIn)
  const ways = useRead(contract.console.readWays, {})
  useTakenPreloads()
  const [missing, setMissing] = useState(false)
  const [prefersLink, setPrefersLink] = useState(false)
  const byPassword = Boolean(ways.data?.password) && !prefersLink
  const turn = () => {
    setMissing(false)
    signIn.reset()
    setPrefersLink(byPassword)
  }
  const used = useRef<string | null>(null)
  const next = destination(search.get('next'))

  const refusal = REFUSALS.find((one) => one === search.get('refused'))

  const send = (body: { token: string } | { name: string; password: string } | { proxy: true }) =>
    signIn.mutate(
      { body },
      {
        onSuccess: () => {
          // What an ended session has read, its end included, is not this one's.
          client.removeQueries()
          void navigate(next, { replace: true })
        },
      },
    )

  // A link works once: it is used as soon as it is open, and taken out of the history whatever comes of it.
  useEffect(() => {
    if (!hash.startsWith('#lp_') || used.current === hash) return
    used.current = hash
    void navigate({ search: search.toString() }, { replace: true })
    send({ token: hash.slice(1) })
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    const token = typed.slice(typed.indexOf('#') + 1)
    setMissing(token === '')
    if (token !== '') send({ token })
  }
  const submitPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const name = String(typed.get('name') ?? '').trim()
    const password = String(typed.get('password') ?? '')
    setMissing(name === '' || password === '')
    if (name !== '' && password !== '') send({ name, password })
  }
  const came = (
    <>
      {signIn.error ? <ProblemNote problem={signIn.error.problem} /> : null}
      {signIn.isPending ? (
        <p role="status">
          <StateBadge word="running" plain /> {t('signingIn')}
        </p>
      ) : null}
    </>
  )

  return (
    <main className={classes.page}>
      <div className={classes.form}>
        <div className={classes.brand}>
          <Logo size={30} />
          <b>Loupe</b>
        </div>
        <h1>{t('title')}</h1>
        {refusal && !signIn.error && !signIn.isPending ? (
          <ProblemNote problem={{ kind: 'denied', status: 401, message: t(REFUSED[refusal]) }} />
        ) : null}
        {byPassword ? (
          <form onSubmit={submitPassword} noValidate>
            <TextInput
              name="name"
              label={t('name')}
              autoComplete="username"
              autoCapitalize="off"
              spellCheck={false}
              error={missing ? t('bothMissing') : undefined}
            />
            <PasswordInput
              name="password"
              label={t('password')}
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
            />
            {came}
            <Button type="submit" fullWidth disabled={signIn.isPending}>
              {t('signIn')}
            </Button>
          </form>
        ) : (
          <>
            <p>{ways.data?.password ? t('invitation') : t('intro')}</p>
            {ways.data?.password ? null : <ServerLog />}
            <form onSubmit={submit} noValidate>
              <PasswordInput
                name="token"
                label={t('token')}
                description={ways.data?.password ? undefined : t('tokenHelp')}
                placeholder="lp_"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                error={missing ? t('tokenMissing') : undefined}
                visibilityToggleButtonProps={{ 'aria-label': t('showToken') }}
              />
              {came}
              <Button type="submit" fullWidth disabled={signIn.isPending}>
                {t('signIn')}
              </Button>
            </form>
          </>
        )}
        {ways.data?.provider ? (
          <Button component="a" href={`${PROVIDER_PATH}?next=${encodeURIComponent(next)}`} variant="default" fullWidth>
            {t('byProvider', { provider: ways.data.provider })}
          </Button>
        ) : null}
        {ways.data?.proxy ? (
          <Button variant="default" fullWidth disabled={signIn.isPending} onClick={() => send({ proxy: true })}>
            {t('byProxy', { name: ways.data.proxy })}
          </Button>
        ) : null}
        {ways.data?.password ? (
          <Button variant="subtle" color="gray" onClick={turn}>
            {byPassword ? t('haveLink') : t('havePassword')}
          </Button>
        ) : null}
      </div>
      <About />
    </main>
  )
}

/**
 * What `index.html` preloads was answered to somebody who was not signed in, and a browser gives each such answer to the
 * first read of that address, however much later: they are taken here, so that the reads after signing in ask anew.
 */
function useTakenPreloads(): void {
  useRead(contract.console.session, {})
  useRead(contract.console.listWorkspaces, {})
}

const REFUSED = {
  unreachable: 'refusedUnreachable',
  cancelled: 'refusedCancelled',
  late: 'refusedLate',
  answer: 'refusedAnswer',
  role: 'refusedRole',
  disabled: 'refusedDisabled',
} as const satisfies Record<Refusal, keyof typeof accessWords>

function ServerLog() {
  const t = useWords(accessWords)
  const { origin } = window.location
  return (
    <div className={classes.log}>
      <div>{t('log')}</div>
      <dl tabIndex={0} aria-label={t('log')}>
        <dt>{t('logConsole')}</dt>
        <dd>{origin}</dd>
        <dt>{t('logSignIn')}</dt>
        <dd>
          {origin}/sign-in#<mark>lp_…</mark>
        </dd>
      </dl>
    </div>
  )
}
