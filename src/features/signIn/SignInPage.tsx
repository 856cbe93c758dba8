import { Button, PasswordInput, TextInput } from '@mantine/core'
import { OIDC_SIGN_IN_PATH, type SessionEndReason, type SignInErrorCode } from '#contract/console/access.ts'
import { Logo } from '../../components/layout/Logo.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { AboutPanel } from './AboutPanel.tsx'
import { signInMessages } from './messages.ts'
import classes from './SignInPage.module.css'
import { type SignInState, useSignIn } from './useSignIn.ts'

/** Signs in by a link's token (at once when it stands behind `#`), or by name and password where somebody has one. */
export function SignInPage() {
  const t = useMessages(signInMessages)
  const state = useSignIn()
  const { methods, signIn, signInError, next, send, usesPassword } = state
  const notice = signInError
    ? SIGN_IN_ERROR_MESSAGES[signInError]
    : methods?.ended && SESSION_END_MESSAGES[methods.ended]
  return (
    <main className={classes.page}>
      <div className={classes.form}>
        <div className={classes.brand}>
          <Logo size={30} />
          <b>Loupe</b>
        </div>
        <h1>{t('title')}</h1>
        {notice && !signIn.error && !signIn.isPending ? (
          <ProblemAlert problem={{ kind: 'denied', status: 401, message: t(notice) }} />
        ) : null}
        {usesPassword ? <PasswordForm state={state} /> : <TokenForm state={state} />}
        {methods?.provider ? (
          <Button
            component="a"
            href={`${OIDC_SIGN_IN_PATH}?next=${encodeURIComponent(next)}`}
            variant="default"
            fullWidth
          >
            {t('byProvider', { provider: methods.provider })}
          </Button>
        ) : null}
        {methods?.proxy ? (
          <Button variant="default" fullWidth disabled={signIn.isPending} onClick={() => send({ proxy: true })}>
            {t('byProxy', { name: methods.proxy })}
          </Button>
        ) : null}
        {methods?.password ? (
          <Button variant="subtle" color="gray" onClick={state.switchForm}>
            {usesPassword ? t('haveLink') : t('havePassword')}
          </Button>
        ) : null}
      </div>
      <AboutPanel />
    </main>
  )
}

function PasswordForm({ state }: { state: SignInState }) {
  const t = useMessages(signInMessages)
  const { signIn, submitPassword, missingFields } = state
  return (
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
      <SignInProgress state={state} />
      <Button type="submit" fullWidth disabled={signIn.isPending}>
        {t('signIn')}
      </Button>
    </form>
  )
}

function TokenForm({ state }: { state: SignInState }) {
  const t = useMessages(signInMessages)
  const { methods, signIn, submit, missingFields } = state
  return (
    <>
      <p>{methods?.password ? t('invitation') : t('intro')}</p>
      {methods?.password ? null : <ServerLogNote />}
      <form onSubmit={submit} noValidate>
        <PasswordInput
          name="token"
          label={t('token')}
          description={methods?.password ? undefined : t('tokenHelp')}
          placeholder="lp_"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={missingFields ? t('tokenMissing') : undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('showToken') }}
        />
        <SignInProgress state={state} />
        <Button type="submit" fullWidth disabled={signIn.isPending}>
          {t('signIn')}
        </Button>
      </form>
    </>
  )
}

function SignInProgress({ state: { signIn } }: { state: SignInState }) {
  const t = useMessages(signInMessages)
  return (
    <>
      {signIn.error ? <ProblemAlert problem={signIn.error.problem} /> : null}
      {signIn.isPending ? (
        <p role="status">
          <StatusBadge status="running" isPlain /> {t('signingIn')}
        </p>
      ) : null}
    </>
  )
}

const SIGN_IN_ERROR_MESSAGES = {
  unreachable: 'refusedUnreachable',
  cancelled: 'refusedCancelled',
  late: 'refusedLate',
  answer: 'refusedAnswer',
  role: 'refusedRole',
  disabled: 'refusedDisabled',
  setup: 'refusedSetup',
  busy: 'refusedBusy',
} as const satisfies Record<SignInErrorCode, keyof typeof signInMessages>

const SESSION_END_MESSAGES = {
  provider: 'endedByProvider',
  role: 'endedByRole',
} as const satisfies Record<SessionEndReason, keyof typeof signInMessages>

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
