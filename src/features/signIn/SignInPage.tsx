import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { OIDC_SIGN_IN_PATH, type SignInErrorCode, SIGN_IN_ERROR_CODES } from '#contract/console/access.ts'
import { contract } from '#contract/index.ts'
import { Logo } from '../../components/layout/Logo.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../client/query.ts'
import { AboutPanel } from './AboutPanel.tsx'
import { getSignInRedirect } from './signInRedirect.ts'
import { signInMessages } from './messages.ts'
import classes from './SignInPage.module.css'

/** Signs in by a link's token (at once when it stands behind `#`), or by name and password where somebody has one. */
export function SignInPage() {
  const t = useMessages(signInMessages)
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [search] = useSearchParams()
  const client = useQueryClient()
  const signIn = useWrite(contract.console.signIn)
  const signInMethods = useRead(contract.console.readSignInMethods, {})
  useReplacePreloads()
  const [missingFields, setMissingFields] = useState(false)
  const [prefersLink, setPrefersLink] = useState(false)
  const usesPassword = Boolean(signInMethods.data?.password) && !prefersLink
  const turn = () => {
    setMissingFields(false)
    signIn.reset()
    setPrefersLink(usesPassword)
  }
  const usedToken = useRef<string | null>(null)
  const next = getSignInRedirect(search.get('next'))

  const signInError = SIGN_IN_ERROR_CODES.find((one) => one === search.get('refused'))

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
    if (!hash.startsWith('#lp_') || usedToken.current === hash) return
    usedToken.current = hash
    void navigate({ search: search.toString() }, { replace: true })
    send({ token: hash.slice(1) })
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const formData = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    const token = formData.slice(formData.indexOf('#') + 1)
    setMissingFields(token === '')
    if (token !== '') send({ token })
  }
  const submitPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const formData = new FormData(event.currentTarget)
    const name = String(formData.get('name') ?? '').trim()
    const password = String(formData.get('password') ?? '')
    setMissingFields(name === '' || password === '')
    if (name !== '' && password !== '') send({ name, password })
  }
  const linkToken = (
    <>
      {signIn.error ? <ProblemAlert problem={signIn.error.problem} /> : null}
      {signIn.isPending ? (
        <p role="status">
          <StatusBadge status="running" isPlain /> {t('signingIn')}
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
        {signInError && !signIn.error && !signIn.isPending ? (
          <ProblemAlert problem={{ kind: 'denied', status: 401, message: t(SIGN_IN_ERROR_MESSAGES[signInError]) }} />
        ) : null}
        {usesPassword ? (
          <form onSubmit={submitPassword} noValidate>
            <TextInput
              name="name"
              label={t('name')}
              autoComplete="username"
              autoCapitalize="off"
              spellCheck={false}
              error={missingFields ? t('bothMissing') : undefined}
            />
            <PasswordInput
              name="password"
              label={t('password')}
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
            />
            {linkToken}
            <Button type="submit" fullWidth disabled={signIn.isPending}>
              {t('signIn')}
            </Button>
          </form>
        ) : (
          <>
            <p>{signInMethods.data?.password ? t('invitation') : t('intro')}</p>
            {signInMethods.data?.password ? null : <ServerLogNote />}
            <form onSubmit={submit} noValidate>
              <PasswordInput
                name="token"
                label={t('token')}
                description={signInMethods.data?.password ? undefined : t('tokenHelp')}
                placeholder="lp_"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                error={missingFields ? t('tokenMissing') : undefined}
                visibilityToggleButtonProps={{ 'aria-label': t('showToken') }}
              />
              {linkToken}
              <Button type="submit" fullWidth disabled={signIn.isPending}>
                {t('signIn')}
              </Button>
            </form>
          </>
        )}
        {signInMethods.data?.provider ? (
          <Button
            component="a"
            href={`${OIDC_SIGN_IN_PATH}?next=${encodeURIComponent(next)}`}
            variant="default"
            fullWidth
          >
            {t('byProvider', { provider: signInMethods.data.provider })}
          </Button>
        ) : null}
        {signInMethods.data?.proxy ? (
          <Button variant="default" fullWidth disabled={signIn.isPending} onClick={() => send({ proxy: true })}>
            {t('byProxy', { name: signInMethods.data.proxy })}
          </Button>
        ) : null}
        {signInMethods.data?.password ? (
          <Button variant="subtle" color="gray" onClick={turn}>
            {usesPassword ? t('haveLink') : t('havePassword')}
          </Button>
        ) : null}
      </div>
      <AboutPanel />
    </main>
  )
}

/**
 * What `index.html` preloads was answered to somebody who was not signed in, and a browser gives each such answer to the
 * first read of that address, however much later: they are taken here, so that the reads after signing in ask anew.
 */
function useReplacePreloads(): void {
  useRead(contract.console.session, {})
  useRead(contract.console.listWorkspaces, {})
}

const SIGN_IN_ERROR_MESSAGES = {
  unreachable: 'refusedUnreachable',
  cancelled: 'refusedCancelled',
  late: 'refusedLate',
  answer: 'refusedAnswer',
  role: 'refusedRole',
  disabled: 'refusedDisabled',
} as const satisfies Record<SignInErrorCode, keyof typeof signInMessages>

function ServerLogNote() {
  const t = useMessages(signInMessages)
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
