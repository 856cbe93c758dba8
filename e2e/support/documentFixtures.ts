import type { Page } from '@playwright/test'
import { findSeriousViolations, measureOverflow } from './accessibility.ts'
import { expect, type KnowledgeFixture } from './knowledgeFixtures.ts'
import { IS_FULL_RUN } from './fullRun.ts'
import { createJsonSender } from './postJson.ts'

export interface DocumentIds {
  dataset_id: string
  document_id: string
}

/** The fields of a document of parents and children: a blank line ends a parent, `separator` a child. */
export const toHierarchy = (separator: string) => ({
  doc_form: 'hierarchical_model',
  process_rule: {
    mode: 'hierarchical',
    rules: {
      pre_processing_rules: [],
      parent_mode: 'paragraph',
      segmentation: { separator: '\n\n', max_tokens: 500, chunk_overlap: 0 },
      subchunk_segmentation: { separator, max_tokens: 100, chunk_overlap: 0 },
    },
  },
})

/** A document of parents and children: a blank line ends a parent, a line end a child. */
export async function writeDocument(knowledge: KnowledgeFixture, name: string, text: string): Promise<DocumentIds> {
  const { page, loupe, key } = knowledge
  const base = `/api/keys/${key}/datasets`
  const postJson = createJsonSender(page.request, loupe.url)
  const { id: dataset_id } = await postJson(base, { name: knowledge.toDatasetName(name) })
  const { document } = await postJson(`${base}/${dataset_id}/document/create-by-text`, {
    name,
    text,
    indexing_technique: 'high_quality',
    ...toHierarchy('\n'),
  })
  const read = async () => {
    const response = await page.request.get(`${loupe.url}${base}/${dataset_id}/documents`)
    return ((await response.json()) as { data: { indexing_status?: string }[] }).data[0]?.indexing_status
  }
  await expect.poll(read).toBe('completed')
  return { dataset_id, document_id: document.id }
}

/**
 * axe finds nothing serious, and nothing scrolls sideways: wide and narrow. This takes seconds for each place, so the fast specs
 * check the main screens only (`accessibility/mainScreens.spec.ts`), and a full run every place that asks for it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!IS_FULL_RUN) return
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await waitForAnimations(page)
    expect(await findSeriousViolations(page), `${page.url()} at ${width}`).toEqual([])
    const wide = await measureOverflow(page)
    expect(wide, `${page.url()} at ${width}`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

/**
 * Waits for fade-in transitions, since colours are final only after them. Queries again, since transitions of removed
 * elements never end.
 */
export const waitForAnimations = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
      .every((animation) => animation.playState !== 'running'),
  )
