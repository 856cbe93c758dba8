/**
 * The one place where what we send is fitted to a platform. Both the interface document and the real platform take the
 * intersection: `response_mode` and `inputs` are always sent (their defaults differ), an empty `conversation_id` is not.
 */
export function dialect(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { conversation_id, ...rest } = body as Record<string, unknown>
  return conversation_id ? { ...rest, conversation_id } : rest
}
