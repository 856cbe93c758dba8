import { z } from 'zod'
import { toInvalidProblem, Problem } from '#contract/problem.ts'
import { type Frame, RUN_STATUSES, type Run, mapRunFigures } from '#contract/console/runs.ts'
import { MAX_JSON_DEPTH } from '../stream/untrustedJson.ts'
import { parseLosslessJson } from '../losslessJson.ts'

/** Maximum size of a run file in bytes, and maximum number of its frames. */
export const MAX_RUN_FILE_BYTES = 256 * 1024 * 1024
export const MAX_RUN_FILE_FRAMES = 500_000

const boundedText = (maxItems: number) => z.string().max(maxItems)
const id = boundedText(255).nullable()
const milliseconds = z.number().min(0).max(1e12).nullable()

/**
 * A run as one JSON file: the request, each frame with its time, the result. Any Loupe can open it, read-only. The
 * schema is written out instead of derived from `Run`, so that files survive changes of the console's API; a figure that files do not have yet needs a default here.
 */
export const RunFile = z.strictObject({
  format: z.literal('loupe.run'),
  version: z.literal(1),
  exported_at: z.iso.datetime({ offset: true }),
  /** The console that wrote the file. */
  versions: z.strictObject({ loupe: boundedText(100) }),
  /** Destination of the run; without a key. */
  platform: z
    .strictObject({
      name: boundedText(255),
      base_url: boundedText(2048).regex(/^https?:\/\//i, { error: 'must begin with http:// or https://' }),
    })
    .nullable(),
  run: z.strictObject({
    id: z.guid(),
    entry: z.enum(['chat.send', 'completion.send', 'workflows.run']),
    status: z.enum(RUN_STATUSES),
    response_mode: z.enum(['streaming', 'blocking']),
    title: boundedText(1000),
    user: id,
    person: id,
    parent: id,
    conversation_id: id,
    message_id: id,
    task_id: id,
    workflow_run_id: id,
    /** Absent in files of earlier consoles, as `pinned_workflow_id` is. */
    workflow_id: id.default(null),
    pinned_workflow_id: id.default(null),
    created_at: z.iso.datetime({ offset: true }),
    first_frame_ms: milliseconds,
    ...mapRunFigures({
      ms: milliseconds,
      count: z.number().nullable(),
      price: boundedText(100).nullable(),
      currency: boundedText(100).nullable(),
    }),
    /** Absent in files of earlier consoles. */
    platform_version: boundedText(100).nullable().default(null),
    problem: Problem.nullable(),
  }),
  request: z.strictObject({ method: z.literal('POST'), path: boundedText(1000), body: z.unknown() }),
  frames: z
    .array(
      z.strictObject({
        seq: z.number().int().min(1).max(MAX_RUN_FILE_FRAMES),
        at: z.number().min(0).max(1e12),
        bytes: z.number().int().min(0).max(MAX_RUN_FILE_BYTES),
        block: z.string(),
        raw: z.base64().optional(),
      }),
    )
    .max(MAX_RUN_FILE_FRAMES),
  /** The unchanged reply of a blocking run; null for a stream. */
  reply: z.unknown(),
})
export type RunFile = z.output<typeof RunFile>

export interface RunFileParts {
  run: Run
  path: string
  frames: readonly Frame[]
  reply: unknown
  platform: RunFile['platform']
  loupe: string
  exported_at: string
}

/** The file of an ended run. */
export function toRunFile({ run, path, frames, reply, platform, loupe, exported_at }: RunFileParts): RunFile {
  const { request, answer: _answer, workspace: _workspace, key: _key, frames: _frames, bytes: _bytes, ...rest } = run
  const known = Object.keys(RunFile.shape.run.shape)
  const runFields = Object.fromEntries(Object.entries(rest).filter(([name]) => known.includes(name))) as RunFile['run']
  return {
    format: 'loupe.run',
    version: 1,
    exported_at,
    versions: { loupe },
    platform,
    run: runFields,
    request: { method: 'POST', path, body: request ?? null },
    frames: [...frames],
    reply: reply ?? null,
  }
}

export type RunFileResult = { file: RunFile; problem: null } | { file: null; problem: Problem }

/** Reads a run file. Invalid or incomplete files are rejected with the location of the error. */
export function parseRunFile(text: string): RunFileResult {
  if (text.trim() === '') return toRefusal('The file is empty.')
  let value: unknown
  try {
    value = parseLosslessJson(text)
  } catch (error) {
    return toRefusal(describeJsonError(text, error))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return toRefusal('The file is JSON, but not a run of Loupe: it contains no object.')
  const { format, version, log } = value as { format?: unknown; version?: unknown; log?: unknown }
  if (format === undefined && typeof log === 'object')
    return toRefusal('The file is an HTTP archive (HAR). A run opens from the file that is exported on its own page.')
  if (format !== 'loupe.run')
    return toRefusal('The file is JSON, but not a run of Loupe: its field format is not "loupe.run".')
  if (version !== 1)
    return toRefusal(`The file has version ${abbreviate(version)} of the run format. This Loupe reads version 1.`)
  if (isDeeperThan(value, MAX_JSON_DEPTH + 8))
    return toRefusal(`The file is nested deeper than ${MAX_JSON_DEPTH} levels.`)
  const read = RunFile.safeParse(value)
  if (!read.success) return { file: null, problem: toInvalidProblem('file', read.error) }
  const hole = read.data.frames.findIndex(({ seq }, index) => seq !== index + 1)
  if (hole >= 0)
    return toRefusal(`Frame ${hole + 1} is missing: in its place the file has frame ${read.data.frames[hole]?.seq}.`)
  return { file: read.data, problem: null }
}

/** Rejects a file by its size alone, before reading it; null if it may be read. */
export function checkRunFileSize(bytes: number): Problem | null {
  if (bytes <= MAX_RUN_FILE_BYTES) return null
  return toRefusal(
    `The file has ${Math.ceil(bytes / 1e6)} MB. A run file has at most ${Math.floor(MAX_RUN_FILE_BYTES / 1e6)} MB.`,
  ).problem
}

const toRefusal = (message: string) => ({ file: null, problem: { kind: 'invalid', status: 400, message } as Problem })

function describeJsonError(text: string, error: unknown): string {
  const starts = text.trimStart().startsWith('{')
  const place = /position (\d+)/.exec(String(error))?.[1]
  const atEnd = place !== undefined && Number(place) >= text.trimEnd().length
  if (starts && (atEnd || /end of (JSON|data)|Unterminated/i.test(String(error))))
    return `The file ends in the middle, after ${text.length.toLocaleString('en')} characters. Part of it is missing.`
  if (!starts || place === undefined) return 'The file is not JSON.'
  return `The file is not JSON: character ${Number(place).toLocaleString('en')} does not belong there.`
}

const abbreviate = (value: unknown): string => (JSON.stringify(value) ?? 'none').slice(0, 40)

/** Walks level by level, so that deep nesting cannot overflow the stack. */
function isDeeperThan(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
