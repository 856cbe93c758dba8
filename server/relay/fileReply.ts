import type { FastifyReply } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import { type BodyLimits, readBody, type UpstreamResponse } from './upstream/upstream.ts'

/** What a browser may show inline. Everything else is a download: an HTML or SVG file would run in this origin. */
const INLINE_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']

/** The media type of an image that a browser may show, null for everything else. */
export function getInlineImageType(contentType: string): string | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return INLINE_IMAGE_TYPES.includes(type) ? type : null
}

/**
 * The bytes of a file that a platform sent, at most 64 MiB if no other limit is given.
 * @throws ProblemError `mismatch` if they contain the key of the request or are more; `cut` or `late`
 */
export async function readFileBytes(response: UpstreamResponse, limits: BodyLimits = {}): Promise<Buffer> {
  const bytes = await readBody(response, limits)
  requireNoKey(response, bytes)
  return bytes
}

/** A file cannot be redacted without breaking it. @throws ProblemError `mismatch` */
export function requireNoKey({ redactor }: UpstreamResponse, bytes: Buffer): void {
  const text = bytes.toString('latin1')
  if (redactor.clean(text) !== text)
    throw new ProblemError({ kind: 'mismatch', message: 'The file contains the key of this app, so it is not shown.' })
}

/** Offers bytes for saving: a browser must not show a file of anybody in this origin. */
export const sendAttachment = (reply: FastifyReply, bytes: Buffer, name: string, type = 'application/octet-stream') =>
  reply.type(type).header('content-disposition', toAttachment(name)).send(bytes)

const toAttachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`
