import './umask.ts'
import { readEnv } from './env.ts'
import { loadPlatformKeys } from './vault/platform-keys.ts'

/** Prints where the built-in platform listens and its keys as JSON, for scripts on this machine. */
const env = readEnv(process.env)
const keys = loadPlatformKeys(env)
const first = (kind: string) => keys.find((key) => key.kind === kind)?.value
console.log(
  JSON.stringify(
    {
      base_url: `${env.PLATFORM_PUBLIC_URL ? new URL(env.PLATFORM_PUBLIC_URL).origin : `http://${env.PLATFORM_HOST}:${env.PLATFORM_PORT}`}/v1`,
      knowledge: first('knowledge'),
      chat: first('chat'),
      completion: first('completion'),
      workflow: first('workflow'),
      apps: Object.fromEntries(keys.filter(({ app }) => app).map(({ app, value }) => [app, value])),
    },
    null,
    2,
  ),
)
