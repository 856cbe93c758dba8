import { expect, test } from 'vitest'
import { toSettingDraft } from './chunkSettingDraft.ts'
import { parseSettingParam, toSettingParam } from './chunkSettingParam.ts'
import { defaultChunkSetting } from './worker/labChunking.ts'

test('a setting survives the URL as it was typed, wrong numbers included', () => {
  const draft = {
    ...toSettingDraft(defaultChunkSetting),
    doc_form: 'hierarchical_model' as const,
    mode: 'hierarchical' as const,
    segmentation: { separator: '。\\n', max_tokens: '80', chunk_overlap: 'many' },
    parent_mode: 'full-doc' as const,
    remove_urls_emails: true,
  }
  expect(parseSettingParam(toSettingParam(draft))).toEqual(draft)
})

test('what is no setting gives none', () => {
  for (const text of [undefined, '', 'null', '{', '[]', '["text_model"]', '{"mode":"custom"}'])
    expect([text, parseSettingParam(text)]).toEqual([text, null])
  const wrong = JSON.stringify(['qa_model', 'custom', ['a', '1', '0'], 'paragraph', ['a', '1', '0'], true, false])
  expect(parseSettingParam(wrong)).toBeNull()
})
