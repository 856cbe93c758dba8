import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/** Lifetime of a link in seconds: upstream's default. */
export const LINK_LIFETIME_S = 300

const LinkQuery = z.object({
  timestamp: z.string().regex(/^\d{1,12}$/),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  sign: z.string().max(64),
})

/** The parts of a request that show where it was sent. */
type RequestOrigin = Pick<FastifyRequest, 'protocol'> & { headers: { host?: string | undefined } }

/** Links to uploaded files that need no key: anybody with a link can read the file until it expires. */
export interface FileLinks {
  /** An absolute link, on the public origin or else on the one that the request used. */
  create: (request: RequestOrigin, file_id: string) => string
  /** Whether the query belongs to an unexpired link to the file. */
  isValid: (file_id: string, query: unknown) => boolean
}

interface FileLinkOptions {
  /** Signs the links; at least 32 bytes. It never leaves the server. */
  secret: Buffer
  /** Scheme and host; null to use those of each request. */
  publicOrigin: string | null
  /** Current time in epoch ms. */
  clock: () => number
}

export function createFileLinks({ secret, publicOrigin, clock }: FileLinkOptions): FileLinks {
  const sign = (file_id: string, timestamp: string, nonce: string): Buffer =>
    createHmac('sha256', secret).update(`file-preview|${file_id.toLowerCase()}|${timestamp}|${nonce}`).digest()
  return {
    create(request, file_id) {
      const timestamp = String(Math.floor(clock() / 1000))
      const nonce = randomBytes(16).toString('hex')
      const query = new URLSearchParams({
        timestamp,
        nonce,
        sign: sign(file_id, timestamp, nonce).toString('base64url'),
      })
      // The request gate has checked the Host header, but not the forwarded host of a proxy.
      const origin = publicOrigin ?? `${request.protocol}://${request.headers.host ?? ''}`
      return `${origin}/files/${file_id}/file-preview?${query}`
    },
    isValid(file_id, query) {
      const link = LinkQuery.safeParse(query)
      if (!link.success) return false
      const { timestamp, nonce } = link.data
      const age_s = clock() / 1000 - Number(timestamp)
      const [expected, given] = [sign(file_id, timestamp, nonce), Buffer.from(link.data.sign, 'base64url')]
      return given.length === expected.length && timingSafeEqual(given, expected) && age_s <= LINK_LIFETIME_S
    },
  }
}
