import { expect, test } from 'vitest'
import { EMPTY_CASE_DRAFT, parseCaseFiles, toCaseInput, toFilesText } from './caseDraft.ts'

const FILES = [{ type: 'image', transfer_method: 'remote_url', url: 'https://example.com/a.png' }]

test('a case has its files, of every kind of app', () => {
  const draft = { ...EMPTY_CASE_DRAFT, query: 'What is this?', files: toFilesText(FILES) }
  expect(toCaseInput('chat', draft)).toEqual({ query: 'What is this?', files: FILES })
  expect(toCaseInput('workflow', draft)).toEqual({ inputs: {}, files: FILES })
  expect(toCaseInput('chat', { ...draft, files: '' })).toEqual({ query: 'What is this?' })
})

test.each(['{', '{}', '[]', '[{"type": "image"}]', '["a.png"]'])('%s is no list of files, and no case', (files) => {
  expect(parseCaseFiles(files)).toBeNull()
  expect(toCaseInput('chat', { ...EMPTY_CASE_DRAFT, query: 'x', files })).toBeNull()
})
