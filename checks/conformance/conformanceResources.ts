import { setTimeout as wait } from 'node:timers/promises'
import { contract } from '#contract/index.ts'
import { readPath, readList, toRequest, type ConformanceSuite } from './conformanceSuite.ts'

/** Resources that the other checks need. */
export interface ResourceIds {
  dataset_id: string
  document_id: string
  segment_id: string
  child_chunk_id: string
  conversation_id: string
}

/** Text with three paragraphs, of which each has two lines. */
export const SAMPLE_PARAGRAPHS = [
  'Green tea is steeped\nat 80 degrees.',
  'Black tea takes\nboiling water.',
  '绿茶用八十度的水。\n红茶用沸水。',
]

/** Polls the list until a document is indexed, or has failed. */
export async function waitForIndexing(
  suite: ConformanceSuite,
  dataset_id: string,
  document_id: string,
): Promise<unknown> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { body } = await suite.send(
      toRequest(contract.documents.list, { params: { dataset_id }, query: 'limit=100' }),
    )
    const record = readList(body, 'data').find((one) => readPath(one, 'id') === document_id)
    if (['completed', 'error'].includes(String(readPath(record, 'indexing_status'))) || Date.now() > deadline)
      return record
    await wait(50)
  }
}
