import { type Endpoint, type EndpointInput, type EndpointReply, fillPath } from '#contract/endpoint.ts'
import { Problem } from '#contract/problem.ts'
import { CliError, toCliError } from './cliError.ts'

export interface ConsoleClient {
  /** The server's address, without a slash at its end. */
  url: string
  /**
   * Sends a request. Where it changes nothing to send it twice (`isRepeatable`, by default all but POST), it is sent again
   * when the server is away or asks to wait.
   * @throws CliError
   */
  call: <E extends Endpoint>(entry: E, input?: CallInput<E>, isRepeatable?: boolean) => Promise<EndpointReply<E>>
}

type CallInput<E extends Endpoint> = EndpointInput<E>

const MAX_ATTEMPTS = 8
const RETRY_DELAY_MS = 1_000
const MAX_RETRY_DELAY_MS = 60_000
const REQUEST_TIMEOUT_MS = 120_000
/** A proxy in front answers with these while the server restarts. */
const AWAY_STATUSES = [502, 503, 504]

export function createConsoleClient(
  { url, token }: { url: string; token: string },
  {
    send = fetch,
    wait = waitFor,
    report,
  }: { send?: typeof fetch; wait?: typeof waitFor; report: (line: string) => void },
): ConsoleClient {
  const attempt = async (entry: Endpoint, target: string, body: unknown): Promise<Response | Error> => {
    try {
      return await send(target, {
        method: entry.method,
        // A redirect would pass the token on to another host.
        redirect: 'error',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
  const call: ConsoleClient['call'] = async (entry, input, isRepeatable = entry.method !== 'POST') => {
    const { params, query, body } = (input ?? {}) as {
      params?: Record<string, string>
      query?: Record<string, unknown>
      body?: unknown
    }
    const target = `${url}${fillPath(entry.path, params)}${toQuery(query)}`
    for (let attempts = 1; ; attempts++) {
      const response = await attempt(entry, target, body)
      const canRetry = isRepeatable && attempts < MAX_ATTEMPTS
      if (response instanceof Error) {
        if (!canRetry) throw new CliError(`The server at ${url} cannot be reached: ${describeCause(response)}.`)
      } else if (response.ok) return readReply(entry, response)
      else if (!canRetry || !(response.status === 429 || AWAY_STATUSES.includes(response.status)))
        throw toCliError(await readProblem(response))
      const delayMs = getDelayMs(response, attempts)
      report(`waiting ${Math.ceil(delayMs / 1000)} s for the server (${describe(response)})`)
      await wait(delayMs)
    }
  }
  return { url, call }
}

const waitFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function toQuery(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

async function readReply<E extends Endpoint>(entry: E, response: Response): Promise<EndpointReply<E>> {
  const parsed = entry.reply.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success)
    throw new CliError(`${response.url} answers as no Loupe of this version does. Is the address right?`)
  return parsed.data as EndpointReply<E>
}

async function readProblem(response: Response): Promise<Problem> {
  const { status } = response
  const parsed = Problem.safeParse(await response.json().catch(() => undefined))
  if (parsed.success) return { ...parsed.data, status }
  return {
    kind: status === 401 || status === 403 ? 'denied' : 'fault',
    status,
    message: `The server answered ${status}.`,
  }
}

function getDelayMs(response: Response | Error, attempts: number): number {
  const asked = response instanceof Error ? NaN : Number(response.headers.get('retry-after') ?? NaN) * 1000
  return Math.min(Number.isFinite(asked) ? asked : RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS)
}

const describe = (response: Response | Error): string =>
  response instanceof Error ? describeCause(response) : String(response.status)

/** `fetch` says why in the cause alone. */
function describeCause(error: Error): string {
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return (cause as NodeJS.ErrnoException).code ?? cause.message
}
