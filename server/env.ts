import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)
const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,512}$/, { error: 'must be visible ASCII without blanks, at most 512 characters' })
const url = z.url({ protocol: /^https?$/ })

/** Every environment variable that Loupe reads. README.md, "Configuration", says what each is for. */
const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8787),
  DATA_DIR: z.string().min(1).default('data'),
  SNAPSHOTS: z.coerce.number().int().min(0).max(1000).default(24),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MASTER_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}(,[0-9a-fA-F]{64})*$/, {
      error: 'must be 64 hexadecimal digits, or several such keys with commas between, the one that seals first',
    })
    .optional(),
  SETUP_TOKEN: z.string().min(16).max(512).optional(),
  PLATFORM: z.enum(['builtin', 'off']).default('builtin'),
  PLATFORM_PORT: port.default(8788),
  PLATFORM_KNOWLEDGE_KEY: key.optional(),
  PLATFORM_CHAT_KEY: key.optional(),
  PLATFORM_COMPLETION_KEY: key.optional(),
  PLATFORM_WORKFLOW_KEY: key.optional(),
  MODEL_BASE_URL: url.optional(),
  MODEL_API_KEY: z.string().max(512).optional(),
  MODEL_NAME: z.string().max(255).optional(),
  EMBEDDING_MODEL: z.string().max(255).optional(),
  EGRESS_ALLOW: z.string().default(''),
  TRUSTED_PROXY: z.string().default(''),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})
export type Env = z.output<typeof Environment>

/**
 * Reads the environment. An empty variable counts as not set.
 * @throws Error that names each wrong variable and what would be right; values are never repeated.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const result = Environment.safeParse(given)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The environment is not right:\n${lines.join('\n')}`)
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
