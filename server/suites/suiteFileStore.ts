import type { PoolClient } from 'pg'
import type { Check } from '#contract/console/checks.ts'
import type { SuiteFileCase, SuiteFileReply, suiteFileEndpoints } from '#contract/console/suiteFiles.ts'
import { MAX_CASES, type SuiteTarget } from '#contract/console/suites.ts'
import type { EndpointReply } from '#contract/endpoint.ts'
import { invalidFieldError } from '#contract/problem.ts'
import {
  describeSuiteChanges,
  findRepeatedCase,
  findSuiteChanges,
  hashSuiteContent,
  hasSuiteChanges,
  type StoredCase,
  type StoredContent,
  type SuiteChanges,
  type SuiteContent,
} from '#domain/suiteFile/suiteContent.ts'
import { formatSuiteFile } from '#domain/suiteFile/suiteFileText.ts'
import type { Database } from '../db/database.ts'
import { insertCaseTexts } from './caseTexts.ts'
import { type CaseRecord, throwSuiteNotFound, toSuiteConflict } from './suiteStore.ts'

interface StoredSuite extends StoredContent {
  about: string
  revision: number
}

/** The suite in a file, and the revision that the file is based on. */
export interface PushedFile extends SuiteContent {
  revision: number
  content_hash?: string | undefined
  about?: string | undefined
}

/** Differences named in a refusal. */
const MAX_NAMED_DIFFERENCES = 20

/** Suites as files: each is read completely, and changed in one revision. */
export class SuiteFileStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** @param schema_url of the JSON Schema that the file names */
  async read(id: string, schema_url: string): Promise<SuiteFileReply> {
    return toFileReply(id, await this.#readSuite(id), schema_url)
  }

  /**
   * Slow work for many cases is done before the transaction, which then checks that the suite is unchanged.
   * @throws ProblemError 409 if the suite has changed since the revision of the file
   */
  async push(
    id: string,
    file: PushedFile,
    person_id: string | null,
    schema_url: string,
  ): Promise<EndpointReply<typeof suiteFileEndpoints.pushSuiteFile>> {
    const repeated = findRepeatedCase(file.cases)
    if (repeated) throw invalidFieldError(`body.cases.${repeated.index}`, repeated.message)
    const stored = await this.#readSuite(id)
    if (stored.target !== file.target)
      throw invalidFieldError('body.target', `must be ${stored.target}: the suite tests nothing else`)
    if (file.about !== undefined && file.about !== stored.about)
      throw invalidFieldError('body.about', `must be ${stored.about}: a suite stays with its app or dataset`)
    const changes = findSuiteChanges(stored, file)
    if (hasSuiteChanges(changes)) {
      await requireBase(stored, file, changes)
      await this.#database.transaction(async (client) => {
        await requireUnchanged(client, id, stored)
        await writeChanges(client, id, stored.revision + 1, file, changes, person_id)
      })
    }
    const { added, changed, removed } = changes
    return {
      ...(await this.read(id, schema_url)),
      added: added.length,
      changed: changed.length,
      removed: removed.length,
    }
  }

  #readSuite(id: string): Promise<StoredSuite> {
    return this.#database.transaction((client) => readSuite(client, id))
  }
}

/** Locks the suite until the end of the transaction. A new name creates no revision. */
async function requireUnchanged(client: PoolClient, id: string, { revision, name }: StoredSuite): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM suites WHERE id = $1 AND revision = $2 AND name = $3 FOR UPDATE',
    [id, revision, name],
  )
  if (rowCount === 0) throw toSuiteConflict('The suite was changed at the same time. The file changed nothing.')
}

/** @throws ProblemError 409 that names the differences */
async function requireBase(stored: StoredSuite, file: PushedFile, changes: SuiteChanges): Promise<void> {
  const isBase =
    file.revision === stored.revision &&
    (file.content_hash === undefined || file.content_hash === (await hashStored(stored)))
  if (isBase) return
  const differences = describeSuiteChanges(changes)
  const more = differences.length - MAX_NAMED_DIFFERENCES
  throw toSuiteConflict(
    [
      `The suite has changed since revision ${file.revision}, on which the file is based. It is now at revision ${stored.revision}.`,
      `Nothing was changed. Between the file and the suite: ${differences.slice(0, MAX_NAMED_DIFFERENCES).join('; ')}`,
    ]
      .join(' ')
      .concat(more > 0 ? `; and ${more} more.` : '.'),
  )
}

const hashStored = (stored: StoredSuite): Promise<string> => hashSuiteContent({ ...stored, cases: [...stored.cases] })

/** Locks the suite, so that its cases match its revision. */
async function readSuite(client: PoolClient, id: string): Promise<StoredSuite> {
  const { rows } = await client.query<{
    name: string
    revision: number
    target_kind: SuiteTarget
    about: string
    default_checks: Check[]
  }>('SELECT name, revision, target_kind, about, default_checks FROM suites WHERE id = $1 FOR UPDATE', [id])
  const { name, revision, target_kind, about, default_checks } = rows[0] ?? throwSuiteNotFound()
  const { rows: cases } = await client.query<
    Pick<CaseRecord, 'id' | 'name' | 'input' | 'expected' | 'checks' | 'tags' | 'split'>
  >(
    `SELECT id, name, input, expected, checks, tags, split FROM suite_cases
     WHERE suite_id = $1 AND valid_to IS NULL ORDER BY position LIMIT ${MAX_CASES}`,
    [id],
  )
  return { name, revision, target: target_kind, about, checks: default_checks, cases }
}

async function toFileReply(id: string, stored: StoredSuite, schema_url: string): Promise<SuiteFileReply> {
  const { revision, about, name, target, checks } = stored
  const content_hash = await hashStored(stored)
  const cases: SuiteFileCase[] = [...stored.cases]
  const file = { $schema: schema_url, id, revision, content_hash, about, name, target, checks, cases }
  return { id, revision, content_hash, text: await formatSuiteFile(file) }
}

async function writeChanges(
  client: PoolClient,
  suite_id: string,
  revision: number,
  file: PushedFile,
  { added, changed, removed }: SuiteChanges,
  person_id: string | null,
): Promise<void> {
  const { rows: ended } = await client.query<{ id: string; position: number; source_run: string | null }>(
    `UPDATE suite_cases SET valid_to = $3 WHERE suite_id = $1 AND id = ANY($2::uuid[]) AND valid_to IS NULL
     RETURNING id, position, source_run`,
    [suite_id, [...changed, ...removed].map(({ id }) => id), revision],
  )
  const before = new Map(ended.map((row) => [row.id, row]))
  const { rows: last } = await client.query<{ position: number }>(
    'SELECT coalesce(max(position), 0)::int AS position FROM suite_cases WHERE suite_id = $1',
    [suite_id],
  )
  const next = (last[0]?.position ?? 0) + 1
  const cases = [
    ...changed.map((one: StoredCase) => ({ ...one, position: 0, source_run: null, ...before.get(one.id) })),
    ...added.map((one, index) => ({ ...one, position: next + index, source_run: null })),
  ]
  await insertCaseTexts(client, { suite_id, revision, person_id }, cases)
  await client.query('UPDATE suites SET name = $2, default_checks = $3, revision = $4, updated_at = $5 WHERE id = $1', [
    suite_id,
    file.name,
    JSON.stringify(file.checks),
    revision,
    new Date(),
  ])
}
