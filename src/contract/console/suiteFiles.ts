import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { MAX_CASES, NewCase, SUITE_TARGETS, DefaultChecks, SuiteName } from './suites.ts'

/**
 * A suite as a file in a repository, `*.suite.yaml`. Its cases are matched by their ids, and a case without one by
 * its input and expectation.
 */
export const SuiteFileCase = NewCase.omit({ source_run: true }).extend({ id: Id.optional() })
export type SuiteFileCase = z.output<typeof SuiteFileCase>

/** The content of the suite; the other fields say where the file belongs. */
const contentFields = {
  name: SuiteName,
  target: z.enum(SUITE_TARGETS),
  checks: DefaultChecks.default([]),
  cases: z.array(SuiteFileCase).max(MAX_CASES).default([]),
}
const baseFields = {
  /** The dataset, or the key of the app. */
  about: z.string().min(1).max(255),
  /** The revision of the suite that the file is based on. */
  revision: z.number().int().min(1),
  /** Hash of the content at that revision: a difference means that the file was changed. */
  content_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be the 64 hex digits that Loupe wrote into the file' }),
}

export const SuiteFile = z.strictObject({
  $schema: z.string().max(2048).optional(),
  /** The suite's id; absent before the file is pushed. */
  id: Id.optional(),
  revision: baseFields.revision.optional(),
  content_hash: baseFields.content_hash.optional(),
  about: baseFields.about.optional(),
  ...contentFields,
})
export type SuiteFile = z.output<typeof SuiteFile>

/** Bytes of a file, and of the request that sends it. */
export const MAX_SUITE_FILE_BYTES = 16 * 1024 * 1024

const SuiteFileReply = z.object({
  id: z.string(),
  revision: z.number(),
  content_hash: z.string(),
  text: z.string(),
})
export type SuiteFileReply = z.output<typeof SuiteFileReply>

export const suiteFileEndpoints = {
  /** The current suite as a file. */
  readSuiteFile: endpoint({
    method: 'GET',
    path: '/api/suites/:suite_id/file',
    key: 'none',
    permission: 'export',
    reply: SuiteFileReply,
    tags: ['suites'],
  }),
  /**
   * Changes the suite to the content of the file, in one revision. Refused with 409, which names the differences, if
   * the suite has changed since the base of the file; a file equal to the suite changes nothing.
   */
  pushSuiteFile: endpoint({
    method: 'PUT',
    path: '/api/suites/:suite_id/file',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({
      ...contentFields,
      ...baseFields,
      content_hash: baseFields.content_hash.optional(),
      about: baseFields.about.optional(),
    }),
    reply: SuiteFileReply.extend({ added: z.number(), changed: z.number(), removed: z.number() }),
    invalidates: ['suites'],
  }),
}
