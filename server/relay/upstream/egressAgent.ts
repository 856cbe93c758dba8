import { Agent, buildConnector, request } from 'undici'
import { ProblemError } from '#contract/problem.ts'
import { type EgressPolicy, getPort } from '../../vault/egressPolicy.ts'
import { toUnreachableProblem } from './connectionFailure.ts'

/**
 * Certificates are verified regardless of NODE_TLS_REJECT_UNAUTHORIZED. HTTP/1.1 only: each request has its own
 * connection, so that no failure affects another.
 */
const TLS_OPTIONS = { rejectUnauthorized: true, allowH2: false }

/** Milliseconds: connect; response headers; silence between bytes. */
export interface EgressTimeouts {
  connect: number
  headers: number
  silence: number
}

/** An agent whose connections reach only what the egress policy allows, by name and by address. */
export const createEgressAgent = (egress: EgressPolicy, timeoutsMs: EgressTimeouts): Agent =>
  new Agent({
    // A lookup does not receive the port, and the egress policy depends on it.
    connect: (options, callback) =>
      buildConnector({ ...TLS_OPTIONS, lookup: egress.createLookup(getPort(options)), timeout: timeoutsMs.connect })(
        options,
        (error, socket) => {
          if (error) return callback(toConnectError(error, `${options.protocol}//${options.host}`), null)
          try {
            egress.requireAllowedPeer(socket.remoteAddress, options.hostname.replace(/^\[|\]$/g, ''), getPort(options))
          } catch (refused) {
            socket.destroy()
            return callback(refused as Error, null)
          }
          callback(null, socket)
        },
      ),
    connections: null,
    pipelining: 1,
    allowH2: false,
    bodyTimeout: timeoutsMs.silence,
    headersTimeout: timeoutsMs.headers,
  })

/**
 * Sends JSON to an allowed address that is not a platform. Redirects are not followed, and the reply's body is not
 * read.
 * @returns the status of the reply
 * @throws ProblemError where the policy or the connection refuses; undici's error for a timeout or a lost connection
 */
export async function postThroughEgress(
  egress: EgressPolicy,
  agent: Agent,
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<number> {
  egress.requireAllowedUrl(url)
  const reply = await request(url, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Loupe', ...headers },
    body,
  })
  reply.body.on('error', () => undefined).destroy()
  return reply.statusCode
}

/** The egress policy has its own message; other errors become a connection failure. */
const toConnectError = (error: Error, origin: string): Error =>
  error instanceof ProblemError || error.cause instanceof ProblemError
    ? error
    : new ProblemError(toUnreachableProblem(error, origin))
