import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { timestampColumn } from '../db/columns.ts'
import { batches } from '../batches/schema.ts'
import { workspaces } from '../vault/schema.ts'
import type { Check } from '#contract/console/checks.ts'
import type { CaseExpectation, CaseInput, Suite } from '#contract/console/suites.ts'

/** A suite of cases for one target. `about` is the dataset of a retrieval, or the key of an app. */
export const suites = pgTable(
  'suites',
  {
    id: uuid().primaryKey(),
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Counts the changes of its cases and checks. */
    revision: integer().notNull(),
    target_kind: text().notNull().$type<Suite['target']>(),
    about: text().notNull(),
    default_checks: json().notNull().$type<Check[]>(),
    person_id: uuid(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('suites_by_workspace').on(table.workspace_id, table.created_at.desc()),
    index('suites_by_target').on(table.workspace_id, table.about),
  ],
)

/**
 * One text of a case, valid from one revision of its suite to the next (`valid_to` is null for the current one), so
 * that an experiment keeps the text that it ran.
 */
export const suiteCases = pgTable(
  'suite_cases',
  {
    suite_id: uuid()
      .notNull()
      .references(() => suites.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    valid_from: integer().notNull(),
    valid_to: integer(),
    /** The order in which cases were added. */
    position: integer().notNull(),
    name: text().notNull(),
    input: json().notNull().$type<CaseInput>(),
    expected: json().notNull().$type<CaseExpectation>(),
    checks: json().notNull().$type<Check[]>(),
    tags: text().array().notNull(),
    split: text(),
    source_run: uuid(),
    person_id: uuid(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.suite_id, table.id, table.valid_from] }),
    index('suite_cases_by_position').on(table.suite_id, table.valid_to, table.position),
  ],
)

/** The batch with the same id has everything else about an experiment. */
export const experiments = pgTable(
  'experiments',
  {
    id: uuid()
      .primaryKey()
      .references(() => batches.id, { onDelete: 'cascade' }),
    suite_id: uuid()
      .notNull()
      .references(() => suites.id, { onDelete: 'cascade' }),
    suite_revision: integer().notNull(),
    /** The checks of the suite at that revision. */
    checks: json().notNull(),
    target: json().notNull(),
    repetitions: integer().notNull(),
    tags: json().notNull(),
    /** The keys of the judging apps: the person who starts it needs access to them. */
    judge_keys: uuid().array().notNull().default([]),
    /** What it ran on, at its start and end; null until it is recorded. */
    fingerprint: json(),
    is_baseline: boolean().notNull().default(false),
    approved_by: uuid(),
    approved_at: timestampColumn('approved_at'),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [index('experiments_by_suite').on(table.suite_id, table.created_at.desc())],
)

/** The row `number` of an experiment's batch: one repetition of one case, and its verdicts. */
export const experimentResults = pgTable(
  'experiment_results',
  {
    experiment_id: uuid()
      .notNull()
      .references(() => experiments.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    case_id: uuid().notNull(),
    /** `valid_from` of the case's text. */
    case_revision: integer().notNull(),
    repetition: integer().notNull(),
    outcome: text(),
    /** Rank of the first expected passage, from 1; 0 if none was found. */
    rank: integer(),
    metrics: json(),
    /** The passages found, best first. */
    found: json(),
  },
  (table) => [
    primaryKey({ columns: [table.experiment_id, table.number] }),
    index('experiment_results_by_case').on(table.case_id, table.experiment_id),
    index('experiment_results_by_outcome').on(table.experiment_id, table.outcome, table.number),
  ],
)

export const verdicts = pgTable(
  'verdicts',
  {
    experiment_id: uuid().notNull(),
    number: integer().notNull(),
    check_index: integer().notNull(),
    type: text().notNull(),
    verdict: text().notNull(),
    score: doublePrecision(),
    reason: text().notNull(),
    /** The judge's run. */
    judge_run: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.experiment_id, table.number, table.check_index] }),
    foreignKey({
      columns: [table.experiment_id, table.number],
      foreignColumns: [experimentResults.experiment_id, experimentResults.number],
      name: 'verdicts_of_result',
    }).onDelete('cascade'),
  ],
)
