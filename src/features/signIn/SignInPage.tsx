import { Button, PasswordInput, TextInput } from '@mantine/core'
import { IconActivity, IconKey, IconQuote } from '@tabler/icons-react'
import { OIDC_SIGN_IN_PATH, type SessionEndReason, type SignInErrorCode } from '#contract/console/access.ts'
import { Logo } from '../../components/layout/Logo.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
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

/** Lines of text, and under the lens the frames of a stream, one of them marked. */
export function LensIllustration() {
  return (
    <svg viewBox="0 0 420 390" width="420" height="390" fill="none" aria-hidden="true" focusable="false">
      <g stroke="var(--line-2)" strokeWidth="6" strokeLinecap="round">
        {LINE_WIDTHS_PX.map((to, index) => (
          <path key={index} d={`M12 ${16 + index * 30}H${to}`} />
        ))}
      </g>
      <clipPath id="lens">
        <circle cx="246" cy="184" r="124" />
      </clipPath>
      <circle cx="246" cy="184" r="128" fill="var(--surface)" stroke="var(--primary)" strokeWidth="7" />
      <circle cx="246" cy="184" r="119" stroke="var(--primary-line)" strokeWidth="1.5" />
      <g clipPath="url(#lens)" fontFamily="var(--mantine-font-family-monospace)" fontSize="15.5" fill="var(--text-2)">
        <text x="134" y="122">
          {'id: 40'}
        </text>
        <text x="134" y="152">
          {'data: {"event":"message"'}
        </text>
        <rect x="226" y="164" width="123" height="27" rx="3" fill="var(--mark)" />
        <text x="134" y="183" fill="var(--text)" fontWeight="600">
          {'"answer":"'}
          <tspan fill="var(--mark-text)">{'below 0.35 mm'}</tspan>
          {'"'}
        </text>
        <text x="134" y="216">
          {'id: 42'}
        </text>
        <text x="134" y="246">
          {'data: {"event":"message"'}
        </text>
      </g>
    </svg>
  )
}

const LINE_WIDTHS_PX = [310, 385, 240, 352, 415, 300, 340, 395, 290, 330, 378, 344, 252]

/** The right half: the lens over a stream, and what to expect of the console. */
function AboutPanel() {
  const t = useMessages(signInMessages)
  const facts = [
    { icon: IconKey, title: t('keysTitle'), text: t('keysText') },
    { icon: IconActivity, title: t('runsTitle'), text: t('runsText') },
    { icon: IconQuote, title: t('sourcesTitle'), text: t('sourcesText') },
  ]
  return (
    <aside className={classes.about} aria-label={t('about')}>
      <LensIllustration />
      <ul>
        {facts.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon size={16} stroke={1.8} aria-hidden="true" />
            <span>
              <b>{title}</b>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
