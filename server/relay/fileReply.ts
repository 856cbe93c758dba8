import type { FastifyReply } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import { LARGE_REPLY_BYTES, sendPieces } from './largeReplies.ts'
import { type BodyLimits, readInTime, readPieces, toMediaType, type UpstreamResponse } from './upstream/upstream.ts'

/** What a browser may show inline. Anything else is a download: an HTML or SVG file would run in this origin. */
const INLINE_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']

/** The media type of an image that a browser may show; null for anything else. */
export function getInlineImageType(contentType: string): string | null {
  const type = toMediaType(contentType)
  return INLINE_IMAGE_TYPES.includes(type) ? type : null
}

/** How a browser handles a file. It must not show an unknown type in this origin. */
export interface FileHeaders {
  type: string
  disposition: string
}

export const toInline = (type: string): FileHeaders => ({ type, disposition: 'inline' })

export const toAttachment = (name: string, type = 'application/octet-stream'): FileHeaders => ({
  type,
  disposition: `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
})

export const withHeaders = (reply: FastifyReply, { type, disposition }: FileHeaders): FastifyReply =>
  reply.type(type).header('content-disposition', disposition)

/**
 * Sends a file of a platform, at most 64 MiB; over 1 MiB in pieces as they arrive.
 * @throws ProblemError as `searchPieces`, before anything was sent; later the connection is closed
 */
export async function sendFile(
  reply: FastifyReply,
  response: UpstreamResponse,
  headers: FileHeaders,
): Promise<FastifyReply> {
  const pieces = searchPieces(response, { onLarge: () => response.largeReplies.enter(reply) })
  const first: Buffer[] = []
  for (let size = 0; size <= LARGE_REPLY_BYTES;) {
    const next = await pieces.next()
    if (next.done) return withHeaders(reply, headers).send(Buffer.concat(first))
    first.push(next.value)
    size += next.value.length
  }
  return sendPieces(withHeaders(reply, headers), join(first, pieces))
}

async function* join(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}

/** @throws ProblemError as `searchPieces`; `late` */
export const readFileBytes = (response: UpstreamResponse, limits: BodyLimits = {}): Promise<Buffer> =>
  readInTime(response, searchPieces(response, limits), limits)

/**
 * The pieces of a file, which cannot be redacted without breaking it.
 * @throws ProblemError `mismatch` if it contains the key of the request or exceeds the limit; `cut`
 */
async function* searchPieces(response: UpstreamResponse, limits: BodyLimits): AsyncGenerator<Buffer> {
  const redactPiece = response.redactor.createPieceRedactor()
  for await (const piece of readPieces(response, limits)) {
    const text = piece.toString('latin1')
    if (redactPiece(text) !== text)
      throw new ProblemError({
        kind: 'mismatch',
        message: 'The file contains the key of this app, so it is not shown.',
      })
    yield piece
  }
}
