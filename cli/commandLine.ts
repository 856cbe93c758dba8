import { parseArgs } from 'node:util'
import { Id } from '#contract/endpoint.ts'
import { MAX_REPETITIONS } from '#contract/console/suites.ts'
import { usageError } from './cliError.ts'

/** What decides whether `eval` ends with 0: that nothing fails, or that nothing fails that passed in the baseline. */
export const GATES = ['failures', 'regressions'] as const
export type Gate = (typeof GATES)[number]

const COMMANDS = ['eval', 'pull', 'push'] as const

export interface CommandLine {
  command: (typeof COMMANDS)[number]
  sources: string[]
  url: string
  token: string
  app: string | null
  workspace: string | null
  workflow_id: string | null
  /** `approved`, or the id of an experiment. */
  against: string | null
  repeat: number
  /** Null: regressions where it compares, else failures. */
  failOn: Gate | null
  junit: string | null
  json: string | null
  markdown: string | null
  tags: Record<string, string>
  /** The id of an experiment that goes on at the server. */
  resume: string | null
  output: 'text' | 'json'
  isForced: boolean
}

export const HELP = `loupe: suites of a Loupe server, from a terminal or from CI

  loupe eval FILE.suite.yaml | SUITE ...   run suites, report, and end with 100 where the gate failed
  loupe eval --resume EXPERIMENT           wait for an experiment that goes on at the server, and report it
  loupe pull SUITE [FILE]                  write a suite into a file; refuses to overwrite changes of the file
  loupe pull FILE                          the same for a file that was pulled before
  loupe push FILE ...                      make suites what the files say; refuses where a suite has changed since

A SUITE is an id or a name. A file that was changed is pushed before it is evaluated.

  --url URL            the server (LOUPE_URL); https, except on this machine
  --token TOKEN        a personal token (better in LOUPE_TOKEN: arguments can be read by others on this machine)
  --workspace NAME     of suites and apps, by name or id; needed where several have what is named
  --app NAME           the app to test, by label or id; without it the suite's own
  --workflow-id ID     a version of its workflow
  --repeat N           runs of each case, at most ${MAX_REPETITIONS}
  --against WHAT       "approved" for the suite's baseline, or the id of an experiment
  --fail-on WHAT       "failures": every case must pass. "regressions" (the default with --against): what passed there
  --junit, --json, --markdown FILE   reports; the Markdown is added to the end of $GITHUB_STEP_SUMMARY
  --tag KEY=VALUE      of the experiment, may be repeated
  --resume ID          of an experiment
  --force              pull: overwrite changes of the file
  -o, --output FORMAT  text or json, on stdout; all else goes to stderr
  -h, --help, --version

Exit codes: 0 gate passed, 100 gate failed, 2 usage, 4 access denied, 7 too many requests, 130 interrupted, 1 anything else.
`

const OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  app: { type: 'string' },
  workspace: { type: 'string' },
  'workflow-id': { type: 'string' },
  against: { type: 'string' },
  repeat: { type: 'string' },
  'fail-on': { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'string' },
  markdown: { type: 'string' },
  tag: { type: 'string', multiple: true },
  resume: { type: 'string' },
  output: { type: 'string', short: 'o' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** @throws CliError for usage: it names the argument and what would be right */
export function parseCommandLine(
  args: readonly string[],
  env: Record<string, string | undefined>,
): CommandLine | 'help' | 'version' {
  const { values, positionals } = parseOptions(args)
  if (values.help || (args.length === 0 && positionals.length === 0)) return 'help'
  if (values.version) return 'version'
  const [name, ...sources] = positionals
  const command = COMMANDS.find((one) => one === name)
  if (!command)
    throw usageError(`${name ? `There is no command ${name}` : 'The command is missing'}: ${list(COMMANDS)}.`)
  const resume = values.resume === undefined ? null : requireId('--resume', values.resume)
  if (resume && (command !== 'eval' || sources.length > 0))
    throw usageError('--resume is of eval alone, without files or suites: the experiment knows its suite.')
  if (!resume && sources.length === 0) throw usageError(`loupe ${command} needs a file or a suite.`)
  if (command === 'pull' && sources.length > 2) throw usageError('loupe pull takes a suite and one file.')
  const against = values.against ?? null
  return {
    command,
    sources,
    url: requireUrl(values.url ?? env.LOUPE_URL),
    token: requireToken(values.token ?? env.LOUPE_TOKEN),
    app: values.app ?? null,
    workspace: values.workspace ?? null,
    workflow_id: values['workflow-id'] ?? null,
    against: against === null || against === 'approved' ? against : requireId('--against', against, 'approved or '),
    repeat: requireRepeat(values.repeat),
    failOn: values['fail-on'] === undefined ? null : requireOneOf('--fail-on', values['fail-on'], GATES),
    junit: values.junit ?? null,
    json: values.json ?? null,
    markdown: values.markdown ?? null,
    tags: Object.fromEntries((values.tag ?? []).map(parseTag)),
    resume,
    output: values.output === undefined ? 'text' : requireOneOf('--output', values.output, ['text', 'json'] as const),
    isForced: values.force ?? false,
  }
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : 'The arguments are invalid.')
  }
}

const list = (names: readonly string[]): string => `it must be ${names.join(' or ')}`

function requireOneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((one) => one === value)
  if (!found) throw usageError(`${option} is ${value}: ${list(names)}.`)
  return found
}

function requireId(option: string, value: string, others = ''): string {
  if (!Id.safeParse(value).success) throw usageError(`${option} must be ${others}the id of an experiment.`)
  return value.toLowerCase()
}

function requireRepeat(value = '1'): number {
  const repeat = Number(value)
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > MAX_REPETITIONS)
    throw usageError(`--repeat must be a whole number from 1 to ${MAX_REPETITIONS}.`)
  return repeat
}

function parseTag(tag: string): [string, string] {
  const at = tag.indexOf('=')
  if (at < 1) throw usageError(`--tag must be KEY=VALUE, as git.sha=4f2a9c1; it is ${tag}.`)
  return [tag.slice(0, at), tag.slice(at + 1)]
}

const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The token would be sent unencrypted over http, which only this machine may see. */
function requireUrl(given: string | undefined): string {
  if (!given) throw usageError('--url or LOUPE_URL must name the server.')
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError('--url must be the address of a server, as https://loupe.example.')
  if (url.username || url.password)
    throw usageError('--url must have no name and no password in it; the token is --token.')
  if (url.protocol === 'http:' && !LOOPBACK_HOST.test(url.hostname))
    throw usageError(`--url must begin with https: the token would be sent to ${url.hostname} unencrypted.`)
  return url.origin
}

function requireToken(token: string | undefined): string {
  if (!token)
    throw usageError('--token or LOUPE_TOKEN must hold a personal token. The page Account of the server makes one.')
  if (!/^[\x21-\x7e]{1,512}$/.test(token)) throw usageError('The token must be visible ASCII without spaces.')
  return token
}
