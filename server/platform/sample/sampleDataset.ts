import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createDataset } from '../datasets/datasetRoutes.ts'
import type { KnowledgeContext } from '../datasets/knowledgeContext.ts'
import { addDocument, requireOwnDataset, toTextSource } from '../datasets/documentWrites.ts'

const DATASET_NAME = 'Loupe handbook'
const DATASET_DESCRIPTION = 'What Loupe is and how to use it: a sample to ask the first questions of.'
/** File and title, in the order in which the documents are added. */
const SAMPLE_DOCUMENTS = [
  ['what-loupe-is.md', 'What Loupe is'],
  ['keys-and-workspaces.md', 'Keys and workspaces'],
  ['runs-that-survive.md', 'Runs that survive'],
  ['chunking-and-process-rules.md', 'Chunking and process rules'],
  ['operations-of-the-interface.md', 'The operations of the interface'],
  ['built-in-platform.zh.md', '内置平台与模型设置'],
] as const
/** Each section is a segment. */
const PROCESS_RULE = {
  mode: 'custom',
  rules: {
    pre_processing_rules: [{ id: 'remove_extra_spaces', enabled: true }],
    segmentation: { separator: '\n## ', max_tokens: 500, chunk_overlap: 0 },
  },
}

/** On the very first start, creates one sample dataset through the API. Done once: a deleted sample is not restored. */
export async function addSampleDataset(context: KnowledgeContext): Promise<void> {
  const { pool } = context.database
  const id = randomUUID()
  const { rowCount } = await pool.query(
    'INSERT INTO platform.seeds (name, dataset_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [DATASET_NAME, id],
  )
  if (rowCount === 0) return
  await createDataset(context, id, {
    name: DATASET_NAME,
    description: DATASET_DESCRIPTION,
    permission: 'all_team_members',
  })
  const dataset = await requireOwnDataset(context, id)
  for (const [file, name] of SAMPLE_DOCUMENTS) {
    const text = await readFile(new URL(file, import.meta.url), 'utf8')
    const doc_language = file.endsWith('.zh.md') ? 'Chinese' : 'English'
    const settings = { process_rule: PROCESS_RULE, indexing_technique: 'high_quality' as const, doc_language }
    await addDocument(context, dataset, { name, source: toTextSource(name, text), settings })
  }
}
