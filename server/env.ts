import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { ROLES } from '#contract/permissions.ts'
import { StartupError } from './db/startupError.ts'
import { ClaimMapError, parseClaimMap } from './roleClaims.ts'

const portSchema = z.coerce.number().int().min(0).max(65_535)
const MAX_SECONDS = 3_600
const secondsSchema = z.coerce
  .number({ error: `must be seconds, 0 to ${MAX_SECONDS}` })
  .min(0, { error: `must be seconds, 0 to ${MAX_SECONDS}` })
  .max(MAX_SECONDS, { error: `must be seconds, 0 to ${MAX_SECONDS}` })
const keySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,512}$/, { error: 'must be visible ASCII without blanks, at most 512 characters' })
const urlSchema = z.url({ protocol: /^https?$/ })
const origin = urlSchema.refine((text) => isOrigin(text), {
  error: 'must be a scheme and a host and no more, such as https://loupe.example',
})
const secretSchema = z.string().min(32, { error: 'must have at least 32 characters' }).max(512)

/** The minimum of distinct characters in SETUP_TOKEN, and the length below which a warning is logged. */
const MIN_SETUP_TOKEN_VARIETY = 8
const GOOD_SETUP_TOKEN_LENGTH = 32

/** After this time pages that follow a run have read its end, and an abandoned connection commits nothing more. */
const DEFAULT_SEAL_AFTER_SECONDS = 30

/** Every environment variable that Loupe reads; see docs/operating.md, "Configuration". */
const EnvVariables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: portSchema.default(8787),
  DATA_DIR: z.string().min(1).default('data'),
  RATE_LIMIT_FACTOR: z.coerce.number().min(0.1).max(10_000).default(1),
  SNAPSHOTS: z.coerce.number().int().min(0).max(1000).default(24),
  SEAL_AFTER_SECONDS: secondsSchema.default(DEFAULT_SEAL_AFTER_SECONDS),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MASTER_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}(,[0-9a-fA-F]{64})*$/, {
      error: 'must be 64 hexadecimal digits, or several such keys with commas between, the one that seals first',
    })
    .optional(),
  SETUP_TOKEN: z
    .string()
    .min(16, { error: 'must have at least 16 characters, better 32. Make one: openssl rand -hex 32' })
    .max(512)
    .refine((text) => new Set(text).size >= MIN_SETUP_TOKEN_VARIETY, {
      error: `must have at least ${MIN_SETUP_TOKEN_VARIETY} different characters. Make one: openssl rand -hex 32`,
    })
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, { error: 'must be visible ASCII without blanks, 16 to 512 characters' })
    .optional(),
  PLATFORM: z.enum(['builtin', 'off']).default('builtin'),
  PLATFORM_HOST: z.string().default('127.0.0.1'),
  PLATFORM_PORT: portSchema.default(8788),
  PLATFORM_PUBLIC_URL: origin.optional(),
  PLATFORM_KNOWLEDGE_KEY: keySchema.optional(),
  PLATFORM_CHAT_KEY: keySchema.optional(),
  PLATFORM_COMPLETION_KEY: keySchema.optional(),
  PLATFORM_WORKFLOW_KEY: keySchema.optional(),
  MODEL_BASE_URL: urlSchema.optional(),
  MODEL_API_KEY: z.string().max(512).optional(),
  MODEL_NAME: z.string().max(255).optional(),
  EMBEDDING_MODEL: z.string().max(255).optional(),
  EGRESS_ALLOW: z.string().default(''),
  INSECURE_HTTP: z.enum(['1']).optional(),
  PUBLIC_URL: origin.optional(),
  TRUSTED_PROXY: z.string().default('').refine(isNetworkList, {
    error: 'must be addresses or networks with commas between, and none that holds every address',
  }),
  PROXY_USER_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, { error: 'must be the name of a header: letters, digits and hyphens' })
    .toLowerCase()
    .optional(),
  PROXY_SECRET: secretSchema.optional(),
  PROXY_ROLE: z.enum(ROLES).default('viewer'),
  OIDC_ISSUER: urlSchema
    .refine((text) => text.startsWith('https:') || (URL.canParse(text) && isLoopback(new URL(text).hostname)), {
      error: 'must begin with https://',
    })
    .optional(),
  OIDC_CLIENT_ID: z.string().max(512).optional(),
  OIDC_CLIENT_SECRET: z.string().max(1024).optional(),
  OIDC_SCOPES: z.string().default('openid profile'),
  OIDC_PARAMETERS: z
    .string()
    .refine((text) => isParameterList(text), {
      error:
        'must be parameters such as access_type=offline&prompt=consent, and none that the sign-in sets itself (state, scope, redirect_uri ...)',
    })
    .optional(),
  OIDC_ROLES: z.string().superRefine(checkClaimMap).optional(),
  DRAIN_SECONDS: secondsSchema.optional(),
  STOP_TIMEOUT_SECONDS: secondsSchema.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})
export type Env = z.output<typeof EnvVariables>
export const ENV_NAMES = Object.keys(EnvVariables.shape) as (keyof Env)[]

/** Combinations of variables that are useless or unsafe. */
const REQUIRED_WITH: Partial<Record<keyof Env, (keyof Env)[]>> = {
  OIDC_ISSUER: ['OIDC_CLIENT_ID', 'OIDC_ROLES', 'PUBLIC_URL'],
  PROXY_USER_HEADER: ['PROXY_SECRET', 'TRUSTED_PROXY'],
}
const EnvSchema = EnvVariables.superRefine((env, { addIssue }) => {
  const isSealed = env.PUBLIC_URL?.startsWith('https:') ?? false
  if (!isLoopback(env.HOST) && !isSealed && !env.INSECURE_HTTP)
    addIssue({
      code: 'custom',
      path: ['HOST'],
      message:
        'is not a loopback address, so passwords would be sent unencrypted. Set PUBLIC_URL to the https address of the proxy in front, or INSECURE_HTTP=1 to allow it',
    })
  if (!isLoopback(env.PLATFORM_HOST) && !env.PLATFORM_PUBLIC_URL?.startsWith('https:') && !env.INSECURE_HTTP)
    addIssue({
      code: 'custom',
      path: ['PLATFORM_HOST'],
      message:
        'is not a loopback address, so keys of the built-in platform would be sent unencrypted. Set PLATFORM_PUBLIC_URL to the https address of the proxy in front, or INSECURE_HTTP=1 to allow it',
    })
  for (const [name, needed] of Object.entries(REQUIRED_WITH))
    for (const other of needed)
      if (env[name as keyof Env] !== undefined && !env[other])
        addIssue({ code: 'custom', path: [other], message: `is needed with ${name}` })
})

/**
 * An empty variable counts as not set.
 * @throws StartupError that names each wrong variable and a correct value, but never the given value
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const { PACE, ...nonEmpty } = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  // PACE is the former name, an alias for one release.
  const result = EnvSchema.safeParse({ ...(PACE === undefined ? {} : { RATE_LIMIT_FACTOR: PACE }), ...nonEmpty })
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new StartupError(`Invalid environment variables:\n${lines.join('\n')}`)
}

/** Accepted values that should be changed. */
export function environmentWarnings({ SETUP_TOKEN }: Pick<Env, 'SETUP_TOKEN'>): string[] {
  if (SETUP_TOKEN === undefined || SETUP_TOKEN.length >= GOOD_SETUP_TOKEN_LENGTH) return []
  return [
    `SETUP_TOKEN has ${SETUP_TOKEN.length} characters. Anybody who guesses it is an admin: use at least ${GOOD_SETUP_TOKEN_LENGTH}, such as those of openssl rand -hex 32.`,
  ]
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { pathname, search, hash, username, password } = new URL(text)
  return pathname === '/' && !search && !hash && !username && !password
}

function checkClaimMap(text: string, { addIssue }: { addIssue: (message: string) => void }): void {
  try {
    parseClaimMap(text)
  } catch (error) {
    if (!(error instanceof ClaimMapError)) throw error
    addIssue(
      `must be a claim and what role each value of it gives, such as groups:loupe-admins=admin,loupe=operator: ${error.message}`,
    )
  }
}

/** Parameters of the authorization request that belong to the flow. */
const FLOW_PARAMETERS = new Set([
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
])

const isParameterList = (text: string): boolean =>
  text
    .split('&')
    .every(
      (part) => /^[A-Za-z0-9_.~-]+=[^=?#\s]+$/.test(part) && !FLOW_PARAMETERS.has(part.slice(0, part.indexOf('='))),
    )

function isNetworkList(text: string): boolean {
  const parts = text.split(',').map((part) => part.trim())
  return (
    text.trim() === '' ||
    parts.every((part) => ipaddr.isValid(part) || (ipaddr.isValidCIDR(part) && !/\/0+$/.test(part)))
  )
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
