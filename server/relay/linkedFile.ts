import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isPlatformFile } from '#contract/console/files/linkedFile.ts'
import { hasPermission } from '#contract/permissions.ts'
import { ProblemError } from '#contract/problem.ts'
import { EgressDeniedError } from '../vault/egressPolicy.ts'
import type { PlatformCredential } from '../vault/vault.ts'
import {
  isSuccess,
  toMediaType,
  toRefusal,
  toTransportProblem,
  type UpstreamClient,
  type UpstreamResponse,
} from './upstream/upstream.ts'

/** The first bytes of each kind of picture that anybody may load from hosts other than the platform. */
const PICTURE_SIGNATURES: Record<string, RegExp> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[^]{4}WEBP/,
  'image/avif': /^[^]{4}ftypavi[fs]/,
}
const SIGNATURE_BYTES = 12

/**
 * Follows a link in a platform's answer. Whoever can make an app repeat a text can write such links, so people
 * without the permission to edit get only files of the platform and pictures.
 * @throws ProblemError `refused`, `denied`, or as the request to the platform
 */
export async function fetchLinkedFile(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  url: URL,
  { person }: Pick<FastifyRequest, 'person'>,
): Promise<UpstreamResponse> {
  const may = (permission: 'edit' | 'manage') => person !== null && hasPermission(person.role, permission)
  const response = await upstream.fetchLink(credential, url, randomUUID()).catch((error: unknown) => {
    if (!(error instanceof EgressDeniedError && error.allowEntry && may('manage'))) throw error
    const message = `${error.message} EGRESS_ALLOW=${error.allowEntry} in the environment of the server permits it.`
    throw new ProblemError({ ...error.problem, message })
  })
  if (!isSuccess(response)) throw new ProblemError(await toRefusal(response))
  if (isPlatformFile(url, credential.base_url) || may('edit') || (await isPicture(response))) return response
  response.body.on('error', () => undefined).destroy()
  throw new ProblemError({
    kind: 'denied',
    status: 403,
    message: `The link to ${url.host} is not a picture. Loading it requires the permission to edit.`,
  })
}

/** Checks the media type and the first bytes, which stay in the body. */
async function isPicture({ contentType, body }: UpstreamResponse): Promise<boolean> {
  const signature = PICTURE_SIGNATURES[toMediaType(contentType)]
  if (!signature) return false
  await new Promise((resolve, reject) =>
    body.once('readable', resolve).once('end', resolve).once('error', reject),
  ).catch((error: unknown) => {
    throw new ProblemError(toTransportProblem(error))
  })
  const start = body.read() as Buffer | null
  if (start) body.unshift(start)
  return signature.test(start?.toString('latin1', 0, SIGNATURE_BYTES) ?? '')
}
