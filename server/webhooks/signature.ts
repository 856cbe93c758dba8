import { createHmac } from 'node:crypto'

/** Header of the signature: `t=<Unix seconds>,v1=<hex>`. */
export const SIGNATURE_HEADER = 'loupe-signature'

/**
 * The value of the signature header: HMAC-SHA256 with the webhook's secret over `<t>.<body>`. A receiver computes the same
 * and refuses old values of `t`, so that a captured request cannot be sent again later.
 */
export function signWebhookBody(secret: string, sentAtS: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${sentAtS}.${body}`).digest('hex')
  return `t=${sentAtS},v1=${digest}`
}
