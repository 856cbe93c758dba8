export const REDACTED = '[REDACTED:key]'

/** Takes the exact key out of what a platform sends back, before ledger, log or browser. */
export const redact = (text: string, secret: string): string =>
  text.includes(secret) ? text.replaceAll(secret, REDACTED) : text
