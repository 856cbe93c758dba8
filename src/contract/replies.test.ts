import { describe, expect, test } from 'vitest'
import { contract } from './index.ts'
import { platformEntryList, SAMPLE_ID, findRefusedFields, makeSamples } from './samples.testing.ts'

describe('replies', () => {
  test.each(platformEntryList)('%s: a reply with null or nothing where only ids are certain is read', (_, entry) => {
    const reply = makeSamples(entry).reply
    expect(findRefusedFields(entry.reply, reply, 'reply')).toBeUndefined()
    expect(() => entry.resources(entry.reply.parse(reply), { params: {}, query: {}, body: {} })).not.toThrow()
  })

  test('fields and words that nobody listed are kept as they came', () => {
    const dataset = {
      id: SAMPLE_ID,
      permission: 'new_word',
      indexing_technique: null,
      added: { deep: [1] },
      tags: [{ id: 't', new: 1 }],
    }
    expect(contract.datasets.create.reply.parse(dataset)).toEqual(dataset)
    const list = { data: [{ id: SAMPLE_ID, indexing_status: 'dreaming', added: 1 }], total: 1, cursor: 'x' }
    expect(contract.documents.list.reply.parse(list)).toEqual(list)
    const parameters = {
      user_input_form: [{ 'new-control': { label: 'L', shade: 'green' } }],
      file_upload: { audio: {} },
    }
    expect(contract.workflows.parameters.reply.parse(parameters)).toEqual(parameters)
  })

  test('a deletion may answer nothing, a number or a word', () => {
    for (const [, entry] of platformEntryList.filter(([, { method }]) => method === 'DELETE'))
      for (const reply of [null, 204, '', { result: 'success' }]) expect(entry.reply.parse(reply)).toEqual(reply)
  })
})

describe('what a reply names', () => {
  const input = { params: { dataset_id: 'd', document_id: 'o', segment_id: 's' }, query: undefined, body: undefined }

  test('a list of documents names each, with its dataset and its record', () => {
    const record = { id: 'o-1', name: 'Green.md' }
    expect(contract.documents.list.resources({ data: [record] }, input)).toEqual([
      { kind: 'document', id: 'o-1', label: 'Green.md', parent: 'd', payload: record },
    ])
  })

  test('an answer names its conversation, message, task and what it cites', () => {
    const named = contract.chat.send.resources(
      {
        conversation_id: 'c',
        message_id: 'm',
        task_id: 't',
        metadata: {
          retriever_resources: [{ dataset_id: 'd', document_id: 'o', segment_id: 's', content: 'x'.repeat(99) }],
        },
      },
      input,
    )
    expect(named.map(({ kind, id: one, parent }) => [kind, one, parent])).toEqual([
      ['conversation', 'c', undefined],
      ['message', 'm', 'c'],
      ['task', 't', 'm'],
      ['dataset', 'd', undefined],
      ['document', 'o', 'd'],
      ['segment', 's', 'o'],
    ])
    expect(named.at(-1)?.label).toHaveLength(80)
  })

  test('what a question to a dataset finds is named with the document it stands in', () => {
    const records = [
      { segment: { id: 's', content: 'Steep.', document: { id: 'o', name: 'Green.md' } }, score: 0.9 },
      {},
    ]
    expect(contract.adjacent.retrieve.resources({ records }, input)).toEqual([
      { kind: 'document', id: 'o', label: 'Green.md', parent: 'd' },
      { kind: 'segment', id: 's', label: 'Steep.', parent: 'o' },
    ])
  })
})
