import { expect, it } from 'vitest'
import { listColumn, setupPlatform, UNKNOWN_ID, type OpenPlatform } from '../platform.fixture.ts'

const platform = setupPlatform()

const SETTINGS = { indexing_technique: 'economy' }

const addField = async (dataset_id: string, type: string, name: string) =>
  String((await platform.send('POST', `/datasets/${dataset_id}/metadata`, { type, name })).body['id'])
const setValues = (dataset_id: string, operation_data: object[]) =>
  platform.send('POST', `/datasets/${dataset_id}/documents/metadata`, { operation_data })

it('fields are added, renamed and deleted, with what documents have of them', async () => {
  const dataset = await platform.newDataset()
  const made = await platform.send('POST', `/datasets/${dataset}/metadata`, { type: 'string', name: 'origin' })
  const origin = String(made.body['id'])
  expect(made).toMatchObject({ status: 201, body: { id: origin, type: 'string', name: 'origin' } })
  const document = String((await platform.addText(dataset, 'Oolong.', SETTINGS))['id'])
  expect((await platform.readDocument(dataset, document))['doc_metadata']).toBeNull()

  const list = { id: origin, name: 'origin', value: 'Fujian' }
  expect(await setValues(dataset, [{ document_id: document, metadata_list: [list] }])).toMatchObject({
    status: 200,
    body: { result: 'success' },
  })
  expect((await platform.send('GET', `/datasets/${dataset}/metadata`)).body).toEqual({
    doc_metadata: [{ id: origin, name: 'origin', type: 'string', count: 1 }],
    built_in_field_enabled: false,
  })
  const renamed = await platform.send('PATCH', `/datasets/${dataset}/metadata/${origin}`, { name: 'region' })
  expect(renamed).toMatchObject({ status: 200, body: { id: origin, type: 'string', name: 'region' } })
  const value = { id: origin, name: 'region', type: 'string', value: 'Fujian' }
  expect((await platform.readDocument(dataset, document))['doc_metadata']).toEqual([value])
  const listed = await platform.send('GET', `/datasets/${dataset}/documents`)
  expect(listed.body['data']?.[0]?.['doc_metadata']).toEqual([value])
  const only = await platform.send('GET', `/datasets/${dataset}/documents/${document}?metadata=only`)
  expect(only.body).toEqual({ id: document, doc_type: null, doc_metadata: [value] })
  expect((await platform.send('GET', `/datasets/${dataset}`)).body['doc_metadata']).toEqual([
    { id: origin, name: 'region', type: 'string' },
  ])

  expect(await platform.send('DELETE', `/datasets/${dataset}/metadata/${origin}`)).toMatchObject({ status: 204 })
  expect((await platform.readDocument(dataset, document))['doc_metadata']).toBeNull()
  expect((await platform.send('GET', `/datasets/${dataset}/metadata`)).body['doc_metadata']).toEqual([])
})

it('values replace those of before, or are added to them', async () => {
  const dataset = await platform.newDataset()
  const [origin, year] = [await addField(dataset, 'string', 'origin'), await addField(dataset, 'number', 'year')]
  const document_id = String((await platform.addText(dataset, 'Oolong.', SETTINGS))['id'])
  const values = async () =>
    (
      (await platform.readDocument(dataset, document_id))['doc_metadata'] as unknown as {
        name: string
        value: unknown
      }[]
    ).map(({ name, value }) => [name, value])
  await setValues(dataset, [{ document_id, metadata_list: [{ id: origin, name: 'origin', value: 'Fujian' }] }])
  await setValues(dataset, [
    { document_id, metadata_list: [{ id: year, name: 'year', value: 2020 }], partial_update: true },
  ])
  expect(await values()).toEqual([
    ['origin', 'Fujian'],
    ['year', 2020],
  ])
  await setValues(dataset, [{ document_id, metadata_list: [{ id: year, name: 'year', value: null }] }])
  expect(await values()).toEqual([['year', null]])
})

it('values have the type of their field; those of former versions are listed and stay until they are changed', async () => {
  const dataset = await platform.newDataset()
  const [code, year, due] = [
    await addField(dataset, 'string', 'code'),
    await addField(dataset, 'number', 'year'),
    await addField(dataset, 'time', 'due'),
  ]
  const document_id = String((await platform.addText(dataset, 'Oolong.', SETTINGS))['id'])
  const set = (...values: [id: string, value: unknown][]) =>
    setValues(dataset, [{ document_id, metadata_list: values.map(([id, value]) => ({ id, name: 'x', value })) }])
  const read = async () => listColumn((await platform.readDocument(dataset, document_id))['doc_metadata'], 'value')
  expect(await set([code, 42], [year, '4.2e1'], [due, '2024-02-29'])).toMatchObject({ status: 200 })
  expect(await read()).toEqual(['42', 42, 1_709_164_800])
  for (const [id, value] of [
    [year, 'abc'],
    [year, '9007199254740993'],
    [due, '2024-02-30'],
  ] as const) {
    const refused = await set([code, 'x'], [id, value])
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      expect.stringMatching(/^operation_data\.0\.metadata_list\.1\.value must be a (number|time).* not "/),
    ])
  }
  expect(await read()).toEqual(['42', 42, 1_709_164_800])
  await platform.database.pool.query(`UPDATE platform.metadata_values SET value = '"abc"' WHERE field_id = $1`, [year])
  expect(await set([code, '43'], [year, 'abc'])).toMatchObject({ status: 200 })
  expect(await read()).toEqual(['43', 'abc'])
  expect((await platform.send('GET', `/datasets/${dataset}/metadata`)).body['doc_metadata']).toMatchObject([
    { name: 'code' },
    { name: 'year', unfit_values: [{ document_id, document_name: 'Document', value: 'abc' }] },
    { name: 'due' },
  ])
  const twin = await platform.send('POST', `/datasets/${dataset}/metadata`, { type: 'string', name: 'co\u00ADde' })
  expect([twin.status, twin.body['message']]).toEqual([400, 'Metadata name already exists.'])
})

it('built-in fields are those of the document, where they are on', async () => {
  const dataset = await platform.newDataset()
  const document = await platform.addText(dataset, 'Oolong.', SETTINGS)
  const { body } = await platform.send('GET', `/datasets/${dataset}/metadata/built-in`)
  const fields = body['fields'] as unknown as { name: string; type: string }[]
  expect(fields).toEqual([
    { name: 'document_name', type: 'string' },
    { name: 'uploader', type: 'string' },
    { name: 'upload_date', type: 'time' },
    { name: 'last_update_date', type: 'time' },
    { name: 'source', type: 'string' },
  ])
  const enable = (action: string) => platform.send('POST', `/datasets/${dataset}/metadata/built-in/${action}`)
  expect(await enable('enable')).toMatchObject({ status: 200, body: { result: 'success' } })
  const read = await platform.send('GET', `/datasets/${dataset}`)
  expect(read.body).toMatchObject({
    built_in_field_enabled: true,
    doc_metadata: fields.map((field) => ({ ...field, id: 'built-in' })),
  })
  const values = (await platform.readDocument(dataset, String(document['id'])))['doc_metadata'] as unknown as {
    name: string
    value: unknown
  }[]
  expect(Object.fromEntries(values.map(({ name, value }) => [name, value]))).toEqual({
    document_name: 'Document',
    uploader: 'Loupe',
    upload_date: document['created_at'],
    last_update_date: expect.any(Number) as number,
    source: 'file_upload',
  })
  await enable('disable')
  expect((await platform.readDocument(dataset, String(document['id'])))['doc_metadata']).toBeNull()
  expect(await enable('toggle')).toMatchObject({ status: 400, body: { code: 'invalid_action' } })
})

it('refuses names that are taken, unknown types, and what does not exist; then nothing is changed', async () => {
  const dataset = await platform.newDataset()
  const other = await addField(await platform.newDataset(), 'string', 'origin')
  const origin = await addField(dataset, 'string', 'origin')
  const year = await addField(dataset, 'number', 'year')
  const document_id = String((await platform.addText(dataset, 'Oolong.', SETTINGS))['id'])
  const path = `/datasets/${dataset}/metadata`
  const value = { id: origin, name: 'origin', value: 'x' }
  const refused: [string, Parameters<OpenPlatform['send']>, number, string][] = [
    ['built-in', ['POST', path, { type: 'string', name: 'uploader' }], 400, 'Built-in fields'],
    ['renamed to taken', ['PATCH', `${path}/${year}`, { name: 'origin' }], 400, 'already exists'],
    ['of another dataset', ['PATCH', `${path}/${other}`, { name: 'z' }], 404, 'Metadata not found.'],
    ['unknown', ['DELETE', `${path}/${UNKNOWN_ID}`], 404, 'Metadata not found.'],
  ]
  for (const [name, request, status, message] of refused) {
    const reply = await platform.send(...request)
    expect([name, reply.status, reply.body['message']]).toEqual([name, status, expect.stringContaining(message)])
  }
  const unknownDocument = { document_id: UNKNOWN_ID, metadata_list: [value] }
  const unknownField = { document_id, metadata_list: [{ ...value, id: other }] }
  for (const wrong of [unknownDocument, unknownField])
    expect(await setValues(dataset, [{ document_id, metadata_list: [value] }, wrong])).toMatchObject({ status: 404 })
  expect((await platform.readDocument(dataset, document_id))['doc_metadata']).toBeNull()
})

it('retrieval finds among the documents that meet the conditions', async () => {
  const dataset = await platform.newDataset()
  const origin = await addField(dataset, 'string', 'origin')
  const year = await addField(dataset, 'number', 'year')
  const documents: [string, string, number | null][] = [
    ['green', 'Fujian', 2019],
    ['black', 'Yunnan', 2021],
    ['white', 'Fujian', null],
  ]
  for (const [name, place, made] of documents) {
    const { id } = await platform.addText(dataset, `The ${name} leaf is dried.`, { ...SETTINGS, name })
    await setValues(dataset, [
      {
        document_id: id,
        metadata_list: [
          { id: origin, name: 'origin', value: place },
          ...(made === null ? [] : [{ id: year, name: 'year', value: made }]),
        ],
      },
    ])
  }
  const find = async (conditions: object[] | null, logical_operator = 'and') => {
    const filter = conditions && { logical_operator, conditions }
    const { status, body } = await platform.send('POST', `/datasets/${dataset}/retrieve`, {
      query: 'leaf dried',
      retrieval_model: {
        search_method: 'keyword_search',
        reranking_enable: false,
        top_k: 10,
        score_threshold_enabled: false,
        ...(filter ? { metadata_filtering_conditions: filter } : {}),
      },
    })
    expect(status).toBe(200)
    const records = body['records'] as unknown as { segment: { document: { name: string; doc_metadata: unknown } } }[]
    return records.map(({ segment }) => segment.document)
  }
  const names = async (...given: Parameters<typeof find>) => (await find(...given)).map(({ name }) => name).sort()
  const where = (name: string, comparison_operator: string, value?: unknown) => ({ name, comparison_operator, value })
  expect(await names(null)).toEqual(['black', 'green', 'white'])
  expect((await find([where('year', '=', 2019)]))[0]?.doc_metadata).toEqual({ origin: 'Fujian', year: 2019 })
  expect(await names([where('origin', 'is', 'Fujian')])).toEqual(['green', 'white'])
  expect(await names([where('origin', 'is', 'Fujian'), where('year', '>', 2000)])).toEqual(['green'])
  expect(await names([where('origin', 'is', 'Yunnan'), where('year', '<', '2020')], 'or')).toEqual(['black', 'green'])
  expect(await names([where('year', 'empty')])).toEqual(['white'])
  const green = (await platform.send('GET', `/datasets/${dataset}/documents?keyword=green`)).body['data']?.[0]
  const changed = { id: origin, name: 'origin', value: 'Yunna\u0301n' }
  await setValues(dataset, [{ document_id: green?.['id'], metadata_list: [changed], partial_update: true }])
  expect(await names([where('origin', 'is', 'Yunnán')])).toEqual(['green'])
  expect(await names([where('origin', 'is', 'Fujian')])).toEqual(['white'])
  await setValues(dataset, [
    { document_id: green?.['id'], metadata_list: [{ ...changed, value: 'Fujian' }], partial_update: true },
  ])
  expect(await names([where('origin', 'in', ['Yunnan', 'Assam'])])).toEqual(['black'])
  expect(await names([where('no such field', 'is', 'x')])).toEqual([])
  // Built-in fields count where they are on.
  expect(await names([where('document_name', 'is', 'black')])).toEqual([])
  await platform.send('POST', `/datasets/${dataset}/metadata/built-in/enable`)
  expect(await names([where('document_name', 'is', 'black')])).toEqual(['black'])

  for (const [condition, message] of [
    [where('origin', 'like', 'x'), 'comparison_operator must be one of'],
    [where('year', '>', 'soon'), 'conditions.0.value must be a number for year, not "soon"'],
    [where('year', 'in', ['2019', '']), 'conditions.0.value must be a number'],
    [where('upload_date', 'after', 'May'), 'must be a time in seconds since 1970, or a date'],
    [where('origin', '<', 'x'), 'compares numbers and times; origin is a text'],
  ] as const)
    expect(
      await platform.send('POST', `/datasets/${dataset}/retrieve`, {
        query: 'leaf',
        retrieval_model: { metadata_filtering_conditions: { conditions: [condition] } },
      }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_param', message: expect.stringContaining(message) as string },
    })

  const stored = { metadata_filtering_conditions: { logical_operator: 'and', conditions: [where('year', '≥', 2021)] } }
  const updated = await platform.send('PATCH', `/datasets/${dataset}`, {
    retrieval_model: { search_method: 'keyword_search', ...stored },
  })
  expect(updated.body['retrieval_model_dict']).toMatchObject(stored)
  expect(await names(null)).toEqual(['black'])
})

it('conditions that retrieval does not know are not stored', async () => {
  const id = await platform.newDataset()
  const conditions = [{ name: 'region', comparison_operator: 'like', value: 'Fu' }]
  const retrieval_model = { metadata_filtering_conditions: { logical_operator: 'and', conditions } }
  for (const reply of [
    await platform.send('PATCH', `/datasets/${id}`, { retrieval_model }),
    await platform.send('POST', '/datasets', { name: 'Conditions', retrieval_model }),
  ])
    expect([reply.status, reply.body['message']]).toEqual([400, expect.stringContaining('comparison_operator')])
})
