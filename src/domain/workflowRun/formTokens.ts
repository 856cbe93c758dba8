import { isJsonContainer } from '../losslessJson.ts'

const MASK = '••••••'

/** A copy with each `form_token` masked: its holder can answer the form. */
export function maskFormTokens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskFormTokens)
  if (!isJsonContainer(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'form_token' && typeof part === 'string' ? MASK : maskFormTokens(part),
    ]),
  )
}

/** `maskFormTokens` for JSON text. */
export const maskFormTokenText = (text: string): string =>
  text.includes('"form_token"') ? text.replace(/("form_token"\s*:\s*)"(?:[^"\\]|\\.)*"/g, `$1"${MASK}"`) : text
