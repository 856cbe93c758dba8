import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, timestampColumn } from '../db/columns.ts'
import type { DocumentFormKind } from '#domain/chunking/chunkingPlan.ts'
import type { ReadingLoss } from '#domain/documentReading/readingLoss.ts'
import type { RetrievalSettings } from './retrieval/retrievalSettings.ts'
import type { MetadataType } from '#contract/platform/schemas.ts'

/** The knowledge half of the built-in platform. Nothing outside `server/platform` reads these tables. */
export const platform = pgSchema('platform')

/** Soft deletion, so that a large deletion never blocks the database; the indexing queue deletes the rows in slices. */
export const datasets = platform.table(
  'datasets',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    description: text().notNull(),
    provider: text().notNull(),
    permission: text().notNull(),
    indexing_technique: text(),
    embedding_model: text(),
    embedding_model_provider: text(),
    retrieval_model: jsonb().notNull().$type<RetrievalSettings>(),
    external_knowledge_api_id: text(),
    external_knowledge_id: text(),
    partial_members: text().array().notNull(),
    doc_form: text().$type<DocumentFormKind>(),
    process_rule_id: uuid(),
    created_by: uuid().notNull(),
    created_at: timestampColumn('created_at').notNull(),
    updated_by: uuid().notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
    /** Changes with every change of the searchable content. */
    changed: integer().notNull().default(0),
    /**
     * Its passages have the terms of at least this version (retrieval/termsVersion.ts); lower ones are being
     * upgraded.
     */
    terms_version: integer().notNull().default(0),
    /** True if there may be passages without a vector of the current embedding model. */
    embedding_pending: boolean().notNull().default(false),
    built_in_field_enabled: boolean().notNull().default(false),
    removed_at: timestampColumn('removed_at'),
  },
  (table) => [
    uniqueIndex('datasets_by_name')
      .on(table.name)
      .where(sql`${table.removed_at} IS NULL`),
    index('datasets_by_age').on(table.created_at),
  ],
)

export const datasetTags = platform.table('dataset_tags', {
  id: uuid().primaryKey(),
  name: text().notNull().unique('dataset_tags_by_name'),
  created_at: timestampColumn('created_at').notNull(),
})

export const tagBindings = platform.table(
  'tag_bindings',
  {
    dataset_id: uuid()
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    tag_id: uuid()
      .notNull()
      .references(() => datasetTags.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ name: 'tag_bindings_pkey', columns: [table.dataset_id, table.tag_id] }),
    index('tag_bindings_by_tag').on(table.tag_id),
  ],
)

/** The custom metadata fields of a dataset's documents; the built-in ones are columns of the documents. */
export const metadataFields = platform.table(
  'metadata_fields',
  {
    id: uuid().primaryKey(),
    dataset_id: uuid()
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    type: text().notNull().$type<MetadataType>(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [uniqueIndex('metadata_fields_by_name').on(table.dataset_id, table.name)],
)

export const processRules = platform.table('process_rules', {
  id: uuid().primaryKey(),
  dataset_id: uuid()
    .notNull()
    .references(() => datasets.id, { onDelete: 'cascade' }),
  mode: text().notNull(),
  rules: jsonb().notNull(),
  created_at: timestampColumn('created_at').notNull(),
})

/**
 * `version` counts the updates of a document and `run` identifies the worker that is indexing it, until `lease_until`:
 * a worker that finds either one changed stops, so an update during indexing ends as the latest version, once.
 */
export const documents = platform.table(
  'documents',
  {
    id: uuid().primaryKey(),
    dataset_id: uuid()
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    name: text().notNull(),
    source_id: uuid().notNull(),
    process_rule_id: uuid().notNull(),
    created_by: uuid().notNull(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
    doc_form: text().notNull().$type<DocumentFormKind>(),
    doc_language: text().notNull(),
    enabled: boolean().notNull().default(true),
    disabled_at: timestampColumn('disabled_at'),
    disabled_by: uuid(),
    archived: boolean().notNull().default(false),
    tokens: integer(),
    word_count: integer(),
    hit_count: integer().notNull().default(0),
    batch: text().notNull(),
    indexing_status: text().notNull(),
    error: text(),
    total_segments: integer(),
    /** Number of its passages, as counted when it was indexed. */
    passages: integer().notNull().default(0),
    version: integer().notNull().default(1),
    run: uuid(),
    lease_until: timestampColumn('lease_until'),
    queued_at: timestampColumn('queued_at').notNull(),
    processing_started_at: timestampColumn('processing_started_at'),
    parsing_completed_at: timestampColumn('parsing_completed_at'),
    cleaning_completed_at: timestampColumn('cleaning_completed_at'),
    splitting_completed_at: timestampColumn('splitting_completed_at'),
    completed_at: timestampColumn('completed_at'),
    stopped_at: timestampColumn('stopped_at'),
    indexing_latency: doublePrecision(),
    /** What was lost while its text was split (`ReadingLoss[]`); null before that. */
    losses: jsonb().$type<ReadingLoss[]>(),
    /** True while some of its passages may have the terms of an earlier name. */
    retitled: boolean().notNull().default(false),
    removed_at: timestampColumn('removed_at'),
  },
  (table) => [
    index('documents_by_dataset').on(table.dataset_id, table.created_at, table.position),
    // Finds the position of the next one.
    index('documents_by_position').on(table.dataset_id, table.position),
    index('documents_by_batch').on(table.batch),
    index('documents_to_index')
      .on(table.queued_at)
      .where(sql`${table.indexing_status} NOT IN ('completed', 'error')`),
    index('documents_retitled')
      .on(table.id)
      .where(sql`${table.retitled}`),
    index('documents_removed')
      .on(table.removed_at)
      .where(sql`${table.removed_at} IS NOT NULL`),
  ],
)

/** A row without a value belongs to a field that was given and left empty. */
export const metadataValues = platform.table(
  'metadata_values',
  {
    document_id: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    field_id: uuid()
      .notNull()
      .references(() => metadataFields.id, { onDelete: 'cascade' }),
    value: jsonb(),
  },
  (table) => [
    primaryKey({ name: 'metadata_values_pkey', columns: [table.document_id, table.field_id] }),
    index('metadata_values_by_field').on(table.field_id),
  ],
)

/** The text of a document, as submitted or as extracted from a file, and the file. */
export const sources = platform.table(
  'sources',
  {
    id: uuid().primaryKey(),
    document_id: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    text: text().notNull(),
    name: text().notNull(),
    /** Size of the source in bytes. */
    size: integer().notNull(),
    extension: text().notNull(),
    mime_type: text().notNull(),
    /** The file; null if the text was submitted, and for files from before they were stored. */
    bytes: bytea(),
    /** The encoding of a text file; null for other files, and where it was not recorded. */
    encoding: text(),
    /** What was lost while the file was read (`ReadingLoss[]`); null where it was not recorded. */
    losses: jsonb().$type<ReadingLoss[]>(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [index('sources_by_document').on(table.document_id)],
)

const indexedColumns = {
  word_count: integer().notNull(),
  tokens: integer().notNull(),
  index_node_id: uuid().notNull(),
  index_node_hash: text().notNull(),
  status: text().notNull(),
  created_by: uuid().notNull(),
  created_at: timestampColumn('created_at').notNull(),
  updated_at: timestampColumn('updated_at').notNull(),
  indexing_at: timestampColumn('indexing_at').notNull(),
  completed_at: timestampColumn('completed_at'),
  error: text(),
  stopped_at: timestampColumn('stopped_at'),
}

export const segments = platform.table(
  'segments',
  {
    id: uuid().primaryKey(),
    document_id: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    content: text().notNull(),
    answer: text(),
    keywords: text().array().notNull(),
    enabled: boolean().notNull().default(true),
    disabled_at: timestampColumn('disabled_at'),
    disabled_by: uuid(),
    ...indexedColumns,
  },
  (table) => [index('segments_by_document').on(table.document_id, table.position)],
)

export const childChunks = platform.table(
  'child_chunks',
  {
    id: uuid().primaryKey(),
    segment_id: uuid()
      .notNull()
      .references(() => segments.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    content: text().notNull(),
    type: text().notNull(),
    ...indexedColumns,
  },
  (table) => [index('child_chunks_by_segment').on(table.segment_id, table.position)],
)

/**
 * Separate from the segments, so that counting a hit does not rewrite the content. No foreign key: a segment may be
 * deleted while its hit is counted.
 */
export const hits = platform.table('hits', {
  segment_id: uuid().primaryKey(),
  hit_count: integer().notNull(),
})

/**
 * The search index: one row for each enabled segment, or for each child of an enabled parent. `terms` are hashes of its
 * terms, repeated by frequency, preceded by the hash of the dataset's id; `length` is its number of words. Ids are
 * random, so the first ids of a dataset are a fair sample of it. Triggers count the terms of every row that has a
 * `terms_version`, whatever inserts, updates or deletes it.
 */
export const passages = platform.table(
  'passages',
  {
    id: uuid().primaryKey(),
    dataset_id: uuid().notNull(),
    document_id: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    segment_id: uuid().notNull(),
    child_chunk_id: uuid(),
    terms: integer().array().notNull(),
    length: integer().notNull(),
    /** The version of `terms` (retrieval/termsVersion.ts); 0 from before terms were counted. */
    terms_version: integer().notNull().default(0),
  },
  (table) => [
    // GIN pending list: searches also read it until it is merged. A larger list makes indexing faster (each passage has
    // a hundred terms, each on a page of its own), a smaller one blocks others for less time.
    index('passages_by_terms').using('gin', table.terms).with({ gin_pending_list_limit: 512 }),
    index('passages_by_dataset').on(table.dataset_id, table.id),
    index('passages_by_document').on(table.document_id),
    index('passages_by_segment').on(table.segment_id),
  ],
)

/** Number of passages that have a term, for each dataset. Maintained by triggers on the passages; never zero. */
export const termCounts = platform.table(
  'term_counts',
  {
    dataset_id: uuid().notNull(),
    term: integer().notNull(),
    passages: integer().notNull(),
  },
  (table) => [primaryKey({ name: 'term_counts_pkey', columns: [table.dataset_id, table.term] })],
)

/** Number of counted passages of a dataset, and the sum of their lengths. Maintained by triggers on the passages. */
export const passageTotals = platform.table('passage_totals', {
  dataset_id: uuid().primaryKey(),
  passages: integer().notNull(),
  length: bigint({ mode: 'number' }).notNull(),
})

/** Unit vectors, portable; with pgvector, an index over a cast makes them fast (retrieval/vectorSearch.ts). */
export const embeddings = platform.table(
  'embeddings',
  {
    passage_id: uuid()
      .primaryKey()
      .references(() => passages.id, { onDelete: 'cascade' }),
    dataset_id: uuid().notNull(),
    model: text().notNull(),
    vector: real().array().notNull(),
    /** Of the embedded text (indexing/embedding/vectorStore.ts), so that none is embedded twice; null in older rows. */
    text_hash: uuid(),
  },
  (table) => [index('embeddings_by_text').on(table.text_hash)],
)

/** Samples that were added, so that each is added only once. */
export const seeds = platform.table('seeds', {
  name: text().primaryKey(),
  dataset_id: uuid().notNull(),
})
