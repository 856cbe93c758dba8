import { describe, expect, it } from 'vitest'
import { listColumn, setupPlatform } from './platform.fixture.ts'

const platform = setupPlatform()

describe('POST /datasets', () => {
  it('keeps upstream’s form of the retrieval model as it was written, until the other one is written', async () => {
    const written = {
      search_method: 'hybrid_search',
      reranking_enable: true,
      reranking_mode: 'weighted_score',
      reranking_model: { reranking_provider_name: null, reranking_model_name: 'r' },
      top_k: 2,
      score_threshold_enabled: false,
      score_threshold: null,
      weights: {
        weight_type: 'customized',
        vector_setting: { vector_weight: 0.6, embedding_provider_name: 'a', embedding_model_name: 'b' },
        keyword_setting: { keyword_weight: 0.4 },
      },
    }
    const settings = { name: 'Upstream shape', indexing_technique: 'high_quality', retrieval_model: written }
    const { status, body } = await platform.send('POST', '/datasets', settings)
    expect([status, body['retrieval_model_dict']]).toEqual([200, written])
    const path = `/datasets/${body['id']}`
    const readModel = async () => (await platform.send('GET', path)).body['retrieval_model_dict']
    await platform.send('PATCH', path, { retrieval_model: { top_k: 5 } })
    expect(await readModel()).toEqual({ ...written, top_k: 5 })
    const reranker = { reranking_provider_name: 'p', reranking_model_name: 'm' }
    const ofInterface = { reranking_mode: reranker, weights: 0.2, score_threshold: 0.5 }
    await platform.send('PATCH', path, { retrieval_model: ofInterface })
    expect(await readModel()).toEqual({ ...written, top_k: 5, ...ofInterface, reranking_model: reranker })
    await platform.send('PATCH', path, { retrieval_model: { weights: null, reranking_mode: null } })
    expect(await readModel()).toMatchObject({ weights: null, reranking_mode: null, score_threshold: 0.5 })
  })

  it('fills in what is not given, and drops what it does not know', async () => {
    const { status, body } = await platform.send('POST', '/datasets', {
      name: '  Bare  ',
      description: null,
      pet: 'cat',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Bare', description: '', provider: 'vendor', permission: 'only_me' })
    expect(body['indexing_technique']).toBeNull()
    expect(body).not.toHaveProperty('pet')
  })

  it.each([
    [{ provider: 'x', permission: 'y' }, ['name', 'provider', 'permission']],
    [{ name: 'a', provider: 'external' }, ['external_knowledge_api_id']],
    [{ name: 'a', retrieval_model: { weights: { vector_setting: { vector_weight: 'heavy' } } } }, ['vector_weight']],
  ])('refuses %j and names every field that is wrong', async (payload, fields) => {
    const { status, body } = await platform.send('POST', '/datasets', payload)
    expect([status, body['code']]).toEqual([400, 'invalid_param'])
    for (const field of fields) expect(body['message']).toContain(field)
  })
})

describe('PATCH /datasets/{dataset_id}', () => {
  it('keeps what each of two updates at the same time has changed', async () => {
    const id = await platform.newDataset({ indexing_technique: 'high_quality' })
    const update = (retrieval_model: object) => platform.send('PATCH', `/datasets/${id}`, { retrieval_model })
    const replies = await Promise.all([update({ top_k: 9 }), update({ score_threshold: 0.5 })])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await platform.send('GET', `/datasets/${id}`)
    expect(body['retrieval_model_dict']).toMatchObject({ top_k: 9, score_threshold: 0.5 })
  })

  it('says keyword_search where there are no vectors and the dataset is read alone', async () => {
    const id = await platform.newDataset({ retrieval_model: { search_method: 'semantic_search' } })
    const { body } = await platform.send('PATCH', `/datasets/${id}`, { indexing_technique: 'economy' })
    expect(body['retrieval_model_dict']?.['search_method']).toBe('semantic_search')
    const read = await platform.send('GET', `/datasets/${id}`)
    expect(read.body['retrieval_model_dict']?.['search_method']).toBe('keyword_search')
  })

  it('takes members as ids and as upstream’s objects, and forgets them with the permission', async () => {
    const id = await platform.newDataset()
    const partial = { permission: 'partial_members' }
    const none = await platform.send('PATCH', `/datasets/${id}`, partial)
    expect([none.status, none.body['message']]).toEqual([400, expect.stringContaining('partial_member_list') as string])
    const ids = await platform.send('PATCH', `/datasets/${id}`, { ...partial, partial_member_list: ['a', 'b'] })
    expect(ids.body['partial_member_list']).toEqual(['a', 'b'])
    const objects = await platform.send('PATCH', `/datasets/${id}`, { partial_member_list: [{ user_id: 'c' }] })
    expect(objects.body['partial_member_list']).toEqual(['c'])
    expect((await platform.send('GET', `/datasets/${id}`)).body['partial_member_list']).toEqual(['c'])
    const open = await platform.send('PATCH', `/datasets/${id}`, { permission: 'only_me' })
    expect(open.body['partial_member_list']).toEqual([])
    expect((await platform.send('GET', `/datasets/${id}`)).body).not.toHaveProperty('partial_member_list')
  })

  it('refuses a name that is taken with 400', async () => {
    await platform.newDataset({ name: 'Here first' })
    const id = await platform.newDataset()
    const taken = await platform.send('PATCH', `/datasets/${id}`, { name: 'Here first' })
    expect([taken.status, taken.body['code']]).toEqual([400, 'invalid_param'])
  })

  it('answers no path with a word in the place of an id, and says so before it looks at the key', async () => {
    const nothing = { code: 'not_found', message: 'Path not found.', status: 404 }
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const)
      expect(
        (await platform.send(method, '/datasets/labels', undefined, { authorization: 'Bearer wrong' })).body,
      ).toEqual(nothing)
  })
})

describe('GET and DELETE /datasets', () => {
  it('lists page by page, newest first, and finds by name, taken literally', async () => {
    for (const name of ['List a', 'List b', 'List 100%', 'List_c']) await platform.newDataset({ name })
    const first = await platform.send('GET', '/datasets?keyword=list&limit=2')
    expect(first.body).toMatchObject({ total: 4, limit: 2, page: 1, has_more: true })
    expect(listColumn(first.body['data'], 'name')).toEqual(['List_c', 'List 100%'])
    const second = await platform.send('GET', '/datasets?keyword=list&limit=2&page=2')
    expect(second.body['has_more']).toBe(false)
    expect((await platform.send('GET', '/datasets?keyword=%25')).body['total']).toBe(1)
    expect((await platform.send('GET', '/datasets?keyword=t_c')).body['total']).toBe(1)
  })

  it('deletes a dataset with all that is in it, and its name is free again', async () => {
    const id = await platform.newDataset({ name: 'Short-lived' })
    const document = await platform.addText(id, 'zebrafish swim in the tank')
    const gone = await platform.send('DELETE', `/datasets/${id}`)
    expect([gone.status, gone.body]).toEqual([204, null])
    expect((await platform.send('GET', `/datasets/${id}`)).status).toBe(404)
    expect((await platform.send('GET', `/datasets/${id}/documents/${document['id']}`)).status).toBe(404)
    expect((await platform.send('DELETE', `/datasets/${id}`)).status).toBe(404)
    await platform.newDataset({ name: 'Short-lived' })
  })
})
