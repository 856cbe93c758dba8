import { randomUUID } from 'node:crypto'
import {
  createAnswerIds,
  openStream,
  type PlatformScript,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from './scriptedPlatform.ts'

/** Milliseconds that the platform takes to store a new user. */
const STORE_MS = 150

/**
 * A platform of one chat app that makes an end user for each request of a name that it does not know yet, as the released 1.16.1
 * does with requests at the same moment. Later requests find the first one, and its conversations alone.
 */
export class DoubledUsers {
  readonly #userIds = new Map<string, string[]>()
  readonly #owners = new Map<string, string>()
  /** Request bodies in the order in which they came. */
  readonly received: { user: string; query: string; response_mode: string }[] = []

  countUsers(name: string): number {
    return this.#userIds.get(name)?.length ?? 0
  }

  readonly script: PlatformScript = async (seen, response) => {
    const { pathname, searchParams } = new URL(seen.path, 'http://platform')
    if (seen.method === 'POST' && pathname === '/v1/chat-messages') {
      const body = JSON.parse(seen.body) as (typeof this.received)[number]
      this.received.push(body)
      const owner = await this.#findOrCreate(body.user)
      const ids = createAnswerIds()
      this.#owners.set(ids.conversation_id, owner)
      if (body.response_mode === 'blocking')
        return sendError(response, 200, { event: 'message', ...ids, id: ids.message_id, answer: 'Tea.', metadata: {} })
      openStream(response)
      return void response.end(toMessageBlock(ids, 'Tea.') + toMessageEndBlock(ids))
    }
    const owner = this.#owners.get(searchParams.get('conversation_id') ?? '')
    if (pathname === '/v1/messages' && owner === (await this.#findOrCreate(searchParams.get('user') ?? '')))
      return sendError(response, 200, { data: [], has_more: false, limit: 20 })
    return sendError(response, 404, { code: 'not_found', message: 'Conversation Not Exists.', status: 404 })
  }

  async #findOrCreate(name: string): Promise<string> {
    const [known] = this.#userIds.get(name) ?? []
    if (known !== undefined) return known
    const id = randomUUID()
    await new Promise((resolve) => setTimeout(resolve, STORE_MS))
    this.#userIds.set(name, [...(this.#userIds.get(name) ?? []), id])
    return id
  }
}
