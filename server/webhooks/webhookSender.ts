import { createHmac } from 'node:crypto'
import { ProblemError } from '#contract/problem.ts'
import { createEgressAgent, postThroughEgress } from '../relay/upstream/egressAgent.ts'
import type { EgressPolicy } from '../vault/egressPolicy.ts'
import type { DeliveryResult } from './webhookOutbox.ts'

const TIMEOUTS_MS = { connect: 5_000, headers: 10_000, silence: 5_000 }

export interface WebhookTarget {
  url: string
  secret: string
}

/** Sends signed events to webhooks, under the same rules as requests to platforms: the egress policy, and no redirects. */
export class WebhookSender {
  readonly #egress: EgressPolicy
  readonly #agent: ReturnType<typeof createEgressAgent>

  constructor(egress: EgressPolicy) {
    this.#egress = egress
    this.#agent = createEgressAgent(egress, TIMEOUTS_MS)
  }

  /** One attempt. Any 2xx is a success; the reply's body is not read. Never rejects. */
  async send(
    { url, secret }: WebhookTarget,
    { id, event, body }: { id: string; event: string; body: string },
  ): Promise<DeliveryResult> {
    try {
      const status = await postThroughEgress(this.#egress, this.#agent, new URL(url), {
        headers: {
          'loupe-event': event,
          'loupe-event-id': id,
          [SIGNATURE_HEADER]: signWebhookBody(secret, Math.floor(Date.now() / 1000), body),
        },
        body,
      })
      return { status, problem: toStatusProblem(status) }
    } catch (error) {
      return { status: null, problem: toSendProblem(error) }
    }
  }

  close = (): Promise<void> => this.#agent.destroy()
}

function toStatusProblem(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `The receiver answered ${status}, a redirect. Redirects are not followed.`
    : `The receiver answered ${status}.`
}

/** The URL may contain a secret of the receiver, so no message quotes it. */
function toSendProblem(error: unknown): string {
  const { cause, code } = error as { cause?: unknown; code?: string }
  const problem = error instanceof ProblemError ? error : cause instanceof ProblemError ? cause : null
  if (problem) return problem.message
  return code === 'UND_ERR_HEADERS_TIMEOUT'
    ? 'The receiver did not answer in time.'
    : 'The connection to the receiver was lost.'
}

/** Header of the signature: `t=<Unix seconds>,v1=<hex>`. */
const SIGNATURE_HEADER = 'loupe-signature'

/**
 * The value of the signature header: HMAC-SHA256 with the webhook's secret over `<t>.<body>`. A receiver computes the
 * same and rejects old values of `t`, so that a captured request cannot be replayed later.
 */
export function signWebhookBody(secret: string, sentAtS: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${sentAtS}.${body}`).digest('hex')
  return `t=${sentAtS},v1=${digest}`
}
