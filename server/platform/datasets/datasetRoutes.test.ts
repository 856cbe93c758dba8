import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listColumn, openPlatform, openPlatformDatabase, type OpenPlatform } from './platform.fixture.ts'

let store: Awaited<ReturnType<typeof openPlatformDatabase>>
let platform: OpenPlatform
beforeAll(async () => {
  store = await openPlatformDatabase()
  platform = await openPlatform(store.database)
})
afterAll(async () => {
  await platform.close()
  await store.close()
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const unknown = '00000000-0000-4000-8000-000000000000'

describe('POST /datasets', () => {
  it('answers with every field of the interface', async () => {
    const { status, body, headers } = await platform.send('POST', '/datasets', {
      name: 'All fields',
      description: 'what it is for',
      indexing_technique: 'high_quality',
      permission: 'all_team_members',
      provider: 'vendor',
      embedding_model: 'text-embedding-3-small',
      embedding_model_provider: 'openai',
      retrieval_model: {
        search_method: 'hybrid_search',
        reranking_enable: true,
        reranking_mode: { reranking_provider_name: 'p', reranking_model_name: 'm' },
        top_k: 7,
        score_threshold_enabled: true,
        score_threshold: 0.25,
        weights: 0.4,
      },
    })
    expect(status).toBe(200)
    expect(headers['x-version']).toBe('0.0.0')
    expect(body).toMatchObject({
      id: expect.stringMatching(UUID) as string,
      name: 'All fields',
      description: 'what it is for',
      provider: 'vendor',
      permission: 'all_team_members',
      data_source_type: null,
      indexing_technique: 'high_quality',
      app_count: expect.any(Number) as number,
      document_count: 0,
      word_count: 0,
      created_by: expect.stringMatching(UUID) as string,
      created_at: expect.any(Number) as number,
      updated_by: expect.stringMatching(UUID) as string,
      updated_at: expect.any(Number) as number,
      embedding_model: 'text-embedding-3-small',
      embedding_model_provider: 'openai',
      embedding_available: null,
      tags: [],
      doc_form: null,
      retrieval_model_dict: {
        search_method: 'hybrid_search',
        reranking_enable: true,
        reranking_mode: { reranking_provider_name: 'p', reranking_model_name: 'm' },
        reranking_model: { reranking_provider_name: 'p', reranking_model_name: 'm' },
        top_k: 7,
        score_threshold_enabled: true,
        score_threshold: 0.25,
        weights: 0.4,
      },
    })
  })

  it('keeps upstream’s form of the retrieval model as it was written, until the other one is written', async () => {
    const { status, body } = await platform.send('POST', '/datasets', {
      name: 'Upstream shape',
      indexing_technique: 'high_quality',
      retrieval_model: {
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
      },
    })
    expect(status).toBe(200)
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
    expect(body['retrieval_model_dict']).toEqual(written)
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

  it('refuses a name that is taken, with 409', async () => {
    await platform.newDataset({ name: 'Taken' })
    const { status, body } = await platform.send('POST', '/datasets', { name: 'Taken' })
    expect([status, body['code'], body['status']]).toEqual([409, 'dataset_name_duplicate', 409])
  })

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ name: 'x'.repeat(10_000) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'a', description: 'x'.repeat(401) }, 'description'],
    [{ name: 'a', indexing_technique: 'best' }, 'indexing_technique'],
    [{ name: 'a', permission: 'all' }, 'permission'],
    [{ name: 'a', provider: 'other' }, 'provider'],
    [{ name: 'a', provider: 'external' }, 'external_knowledge_api_id'],
    [{ name: 'a', retrieval_model: { search_method: 'psychic_search' } }, 'search_method'],
    [{ name: 'a', retrieval_model: { top_k: 0 } }, 'top_k'],
    [{ name: 'a', retrieval_model: { weights: { vector_setting: { vector_weight: 'heavy' } } } }, 'vector_weight'],
  ])('refuses %j and names the field', async (payload, field) => {
    const { status, body } = await platform.send('POST', '/datasets', payload)
    expect([status, body['code'], body['status']]).toEqual([400, 'invalid_param', 400])
    expect(body['message']).toContain(field)
  })

  it('names every field that is wrong', async () => {
    const { body } = await platform.send('POST', '/datasets', { provider: 'x', permission: 'y' })
    for (const field of ['name', 'provider', 'permission']) expect(body['message']).toContain(field)
  })
})

describe('PATCH /datasets/{dataset_id}', () => {
  it('applies only what is given', async () => {
    const id = await platform.newDataset({ name: 'Before', description: 'kept', permission: 'all_team_members' })
    const { status, body } = await platform.send('PATCH', `/datasets/${id}`, { name: 'After' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, name: 'After', description: 'kept', permission: 'all_team_members', tags: [] })
    expect((await platform.send('PATCH', `/datasets/${id}`, {})).status).toBe(200)
  })

  it('merges a retrieval model into the one that is there', async () => {
    const id = await platform.newDataset({ indexing_technique: 'high_quality', retrieval_model: { top_k: 9 } })
    const { body } = await platform.send('PATCH', `/datasets/${id}`, { retrieval_model: { score_threshold: 0.5 } })
    expect(body['retrieval_model_dict']).toMatchObject({ top_k: 9, score_threshold: 0.5 })
  })

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

  it('refuses a name that is taken with 400, and an unknown dataset with 404', async () => {
    await platform.newDataset({ name: 'Here first' })
    const id = await platform.newDataset()
    const taken = await platform.send('PATCH', `/datasets/${id}`, { name: 'Here first' })
    expect([taken.status, taken.body['code']]).toEqual([400, 'invalid_param'])
    const missing = await platform.send('PATCH', `/datasets/${unknown}`, { name: 'x' })
    expect([missing.status, missing.body['code']]).toEqual([404, 'not_found'])
    const nonsense = await platform.send('PATCH', '/datasets/not-an-id', { name: 'x' })
    expect([nonsense.status, nonsense.body['code']]).toEqual([404, 'not_found'])
  })

  it('answers no path with a word in the place of an id, and says so before it looks at the key', async () => {
    const nothing = { code: 'not_found', message: 'There is nothing at this path.', status: 404 }
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

  it.each(['limit=0', 'limit=101', 'limit=x', 'page=0', 'page=-1', 'page=1.5', 'page=99999999999999'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await platform.send('GET', `/datasets?${query}`)
      expect([status, body['code']]).toEqual([400, 'invalid_param'])
      expect(body['message']).toContain(query.split('=')[0])
    },
  )

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
