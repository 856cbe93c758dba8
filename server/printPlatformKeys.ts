import './umask.ts'
import { parseEnv } from './env.ts'
import { loadBuiltInPlatformKeys } from './vault/builtInPlatformKeys.ts'

/** Prints the built-in platform's address and its keys as JSON, for scripts on this machine. */
const env = parseEnv(process.env)
const keys = loadBuiltInPlatformKeys(env)
const findKeyValue = (kind: string) => keys.find((key) => key.kind === kind)?.value
console.log(
  JSON.stringify(
    {
      base_url: `${env.PLATFORM_PUBLIC_URL ? new URL(env.PLATFORM_PUBLIC_URL).origin : `http://${env.PLATFORM_HOST}:${env.PLATFORM_PORT}`}/v1`,
      knowledge: findKeyValue('knowledge'),
      chat: findKeyValue('chat'),
      completion: findKeyValue('completion'),
      workflow: findKeyValue('workflow'),
      apps: Object.fromEntries(keys.filter(({ app }) => app).map(({ app, value }) => [app, value])),
    },
    null,
    2,
  ),
)
