import { createHash } from 'node:crypto'
import type { ResourceRef } from '#contract/endpoint.ts'
import { asJson } from '#domain/stream/untrustedJson.ts'
import { isJsonContainer } from '#domain/losslessJson.ts'

/**
 * An app's parameters as a thing under its key, one for each that was ever seen: so that it can be told which an app had
 * when a run of it began. The order of fields says nothing.
 */
export const toParameterVersion = (key_id: string, parameters: unknown): ResourceRef => {
  const payload = asJson(parameters)
  const digest = createHash('sha256')
    .update(JSON.stringify(sortKeys(payload)))
    .digest('hex')
    .slice(0, 24)
  return { kind: 'parameters', id: `${key_id}:${digest}`, parent: key_id, payload }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonContainer(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, part]) => [name, sortKeys(part)]),
  )
}
