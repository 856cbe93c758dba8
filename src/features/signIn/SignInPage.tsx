import { Box, Button, Group, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconActivity, IconKey, IconQuote } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import {
  OIDC_SIGN_IN_PATH,
  type SessionEndReason,
  type SignInErrorCode,
  SIGN_IN_ERROR_CODES,
  accessEndpoints,
} from '#contract/console/access.ts'
import { Logo } from '../../components/layout/Logo.tsx'
import { InlineForm } from '../../components/forms/InlineForm.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { signInMessages } from './messages.ts'
import classes from './SignInPage.module.css'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { useRead, useWrite } from '../../client/query.ts'
import { paths } from '#domain/paths.ts'

/** Signs in by a link's token (at once if it is after `#`), or by name and password. */
export function SignInPage() {
  const t = useMessages(signInMessages)
  const state = useSignIn()
  const { methods, signIn, signInError, next, send, usesPassword } = state
  const notice = signInError
    ? SIGN_IN_ERROR_MESSAGES[signInError]
    : methods?.ended && SESSION_END_MESSAGES[methods.ended]
  return (
    <main className={classes.page}>
      <Stack justify="center" w="min(400px, 100%)" mx="auto" px="lg" py="xl">
        <Group gap="sm">
          <Logo size={30} />
          <Text span fz={20} fw={650}>
            Loupe
          </Text>
        </Group>
        <Text component="h1" mt="lg" fz={24} fw={600}>
          {t('title')}
        </Text>
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
      </Stack>
      <AboutPanel />
    </main>
  )
}

function PasswordForm({ state }: { state: SignInState }) {
  const t = useMessages(signInMessages)
  const { submitPassword, missingFields } = state
  return (
    <SignInForm state={state} onSubmit={submitPassword}>
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
    </SignInForm>
  )
}

function TokenForm({ state }: { state: SignInState }) {
  const t = useMessages(signInMessages)
  const { methods, submit, missingFields } = state
  return (
    <>
      <Text c="dimmed">{methods?.password ? t('invitation') : t('intro')}</Text>
      {methods?.password ? null : <ServerLogNote />}
      <SignInForm state={state} onSubmit={submit}>
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
      </SignInForm>
    </>
  )
}

interface SignInFormProps {
  state: SignInState
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  children: ReactNode
}

/** Its fields are read when it is sent: a password manager may fill them without an event. */
function SignInForm({ state: { signIn }, onSubmit, children }: SignInFormProps) {
  const t = useMessages(signInMessages)
  return (
    <InlineForm form={{ submit: onSubmit, isPending: signIn.isPending }} action={t('signIn')}>
      {children}
      {signIn.error ? <ProblemAlert problem={signIn.error.problem} /> : null}
      {signIn.isPending ? (
        <Text role="status">
          <StatusBadge status="running" isPlain /> {t('signingIn')}
        </Text>
      ) : null}
      <Button type="submit" fullWidth disabled={signIn.isPending}>
        {t('signIn')}
      </Button>
    </InlineForm>
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
    <Paper radius="md" bg="var(--sunken)" fz="sm">
      <Text px={10} py={4} c="dimmed" fz="sm" style={{ borderBottom: '1px solid var(--line)' }}>
        {t('log')}
      </Text>
      <Box
        component="dl"
        display="grid"
        px={10}
        py="sm"
        ff="monospace"
        style={{ gridTemplateColumns: 'auto 1fr', gap: '4px 16px', overflowX: 'auto', whiteSpace: 'nowrap' }}
        tabIndex={0}
        aria-label={t('log')}
      >
        <dt>{t('logConsole')}</dt>
        <dd>{origin}</dd>
        <dt>{t('logSignIn')}</dt>
        <dd>
          {origin}/sign-in#<mark>lp_…</mark>
        </dd>
      </Box>
    </Paper>
  )
}

/** Lines of text, and under the lens the frames of a stream, one of them marked. */
function LensIllustration() {
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
      <Box component="ul" w="min(480px, 100%)">
        {facts.map(({ icon: Icon, title, text }) => (
          <Group key={title} component="li" gap="md" wrap="nowrap" align="start" px={4} py="sm">
            <Icon size={16} stroke={1.8} color="var(--primary-text)" aria-hidden="true" />
            <div>
              <Text fz="sm" fw={550}>
                {title}
              </Text>
              <Text fz="sm" c="dimmed">
                {text}
              </Text>
            </div>
          </Group>
        ))}
      </Box>
    </aside>
  )
}

type SignInState = ReturnType<typeof useSignIn>

/**
 * The sign-in methods: a link's token (immediately if it is in the `#` fragment), name and password, a provider, a
 * proxy.
 */
function useSignIn() {
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [search] = useSearchParams()
  const client = useQueryClient()
  const signIn = useWrite(accessEndpoints.signIn)
  const signInMethods = useRead(accessEndpoints.readSignInMethods, {})
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
          // Discard the cache of the ended session, including its 401.
          client.removeQueries()
          void navigate(next, { replace: true })
        },
      },
    )

  // A link works once: use it as soon as it opens, and remove it from the history in any case.
  useEffect(() => {
    if (!hash.startsWith('#lp_') || usedToken.current === hash) return
    usedToken.current = hash
    void navigate({ search: search.toString() }, { replace: true })
    send({ token: hash.slice(1) })
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    const formData = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    const token = formData.slice(formData.indexOf('#') + 1)
    setMissingFields(token === '')
    if (token !== '') send({ token })
  }
  const submitPassword = (event: FormEvent<HTMLFormElement>) => {
    const formData = new FormData(event.currentTarget)
    const name = String(formData.get('name') ?? '').trim()
    const password = String(formData.get('password') ?? '')
    setMissingFields(name === '' || password === '')
    if (name !== '' && password !== '') send({ name, password })
  }
  return {
    methods: signInMethods.data,
    signIn,
    signInError,
    next,
    send,
    submit,
    submitPassword,
    missingFields,
    usesPassword,
    switchForm: turn,
  }
}

/**
 * The preloads of `index.html` were answered without a session, and the browser returns each preloaded response to
 * the first fetch of its URL, however late: consume them here, so that reads after signing in hit the server.
 */
function useReplacePreloads(): void {
  useRead(accessEndpoints.session, {})
  useRead(workspaceEndpoints.listWorkspaces, {})
}

/** The destination after signing in: the requested page if it is same-origin, else Home. */
export function getSignInRedirect(next: string | null): string {
  // Browsers read `/\host` and `//host` as another host.
  return next && /^\/(?![/\\])[^\u0000-\u001f]*$/.test(next) && !next.startsWith('/sign-in') ? next : paths.home()
}
