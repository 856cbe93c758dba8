import type { PoolClient } from 'pg'
import type { SuiteFileCase } from '#contract/console/suiteFiles.ts'
import type { CaseInput } from '#contract/console/suites.ts'
import { toStorableText } from '../db/storableText.ts'

/** A case in a new revision. A new case has no id yet. */
export interface NewCaseText extends SuiteFileCase {
  position: number
  source_run: string | null
}

/** Inserts the case texts of a new revision; their predecessors must have ended. */
export async function insertCaseTexts(
  client: PoolClient,
  { suite_id, revision, person_id }: { suite_id: string; revision: number; person_id: string | null },
  cases: readonly NewCaseText[],
): Promise<void> {
  await client.query(
    `INSERT INTO suite_cases(suite_id, id, valid_from, position, name, input, expected, checks, tags, split, source_run, person_id, updated_at)
     SELECT $1, coalesce(id, gen_random_uuid()), $2, position, name, input::json, expected::json, checks::json,
       ARRAY(SELECT json_array_elements_text(tags::json)), split, source_run, $3, $4
     FROM unnest($5::uuid[], $6::int[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::uuid[])
       AS new(id, position, name, input, expected, checks, tags, split, source_run)`,
    [
      suite_id,
      revision,
      person_id,
      new Date(),
      cases.map(({ id }) => id ?? null),
      cases.map(({ position }) => position),
      ...toCaseParams(cases),
    ],
  )
}

/** The columns of cases: name, input, expected, checks, tags, split, source_run. */
export const toCaseParams = (cases: readonly Omit<NewCaseText, 'id' | 'position'>[]): unknown[][] => [
  cases.map(({ name, input }) => toCaseName(name, input)),
  cases.map(({ input }) => JSON.stringify(input)),
  cases.map(({ expected }) => JSON.stringify(expected)),
  cases.map(({ checks }) => JSON.stringify(checks)),
  cases.map(({ tags }) => JSON.stringify(tags)),
  cases.map(({ split }) => split),
  cases.map(({ source_run }) => source_run),
]

const MAX_NAME_CHARS = 300

/** The given name, else the question or the first text of the inputs. */
function toCaseName(name: string | undefined, { query, inputs }: CaseInput): string {
  const text = name ?? query ?? Object.values(inputs ?? {}).find((value) => typeof value === 'string')
  return toStorableText(String(text ?? '').trim() || 'Case', MAX_NAME_CHARS) ?? ''
}
