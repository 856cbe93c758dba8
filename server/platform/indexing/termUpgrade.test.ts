import { expect, it } from 'vitest'
import { SEGMENT_PER_LINE, setupPlatform } from '../datasets/platform.fixture.ts'
import { hashTerm, toDatasetMarker } from '#domain/keywordSearch/termVector.ts'
import { TERMS_VERSION } from '../retrieval/termsVersion.ts'
import { findMiscountedTerms } from '../retrieval/termCounts.testing.ts'
import { createTermUpgrade } from './termUpgrade.ts'

const platform = setupPlatform()

/** Gives the passages of a dataset the terms of the first version: whole words, pairs and single characters. */
async function downgrade(dataset_id: string): Promise<void> {
  const { pool } = platform.database
  const { rows } = await pool.query<{ id: string; content: string }>(
    `SELECT p.id, s.content FROM platform.passages p JOIN platform.segments s ON s.id = p.segment_id WHERE p.dataset_id = $1`,
    [dataset_id],
  )
  for (const { id, content } of rows) {
    const words = content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const terms = [toDatasetMarker(dataset_id), ...words.map(hashTerm)]
    await pool.query('UPDATE platform.passages SET terms = $2, terms_version = 0 WHERE id = $1', [id, terms])
  }
  await pool.query('UPDATE platform.datasets SET terms_version = 0 WHERE id = $1', [dataset_id])
}

it('upgrades an index of the first version, which answers meanwhile', async () => {
  const id = await platform.newDataset()
  const russian = Array.from({ length: 120 }, (_, index) => `Правительство приняло законы номер ${index}.`)
  const text = [...russian, 'Иволга поёт на рассвете.', 'Ein Café an der Straße.'].join('\n')
  await platform.addText(id, text, SEGMENT_PER_LINE)
  await downgrade(id)
  expect(await findMiscountedTerms(platform.database.pool)).toEqual([])
  expect(await platform.retrieveContents(id, 'иволга')).toEqual(['Иволга поёт на рассвете.'])
  expect(await platform.retrieveContents(id, 'иволги')).toEqual([])

  for (const word of ['CAFÉ', 'straße'])
    expect(await platform.retrieveContents(id, word)).toEqual(['Ein Café an der Straße.'])
  expect(await platform.retrieveContents(id, 'cafe')).toEqual([])

  const upgrade = createTermUpgrade(platform.database)
  expect(await upgrade()).toBe(true)
  expect(await platform.retrieveContents(id, 'иволга')).toEqual(['Иволга поёт на рассвете.'])
  while (await upgrade());
  expect(await platform.retrieveContents(id, 'иволги')).toEqual(['Иволга поёт на рассвете.'])
  for (const word of ['CAFÉ', 'cafe', 'STRASSE'])
    expect(await platform.retrieveContents(id, word)).toEqual(['Ein Café an der Straße.'])
  expect(await platform.retrieveContents(id, 'закон 7')).toContain('Правительство приняло законы номер 7.')
  expect(await findMiscountedTerms(platform.database.pool)).toEqual([])
  const { rows } = await platform.database.pool.query<{ terms_version: number }>(
    'SELECT terms_version FROM platform.datasets WHERE id = $1',
    [id],
  )
  expect(rows[0]?.terms_version).toBe(TERMS_VERSION)
})

it('counts the terms of what is added, edited, disabled and deleted', async () => {
  const id = await platform.newDataset()
  const other = await platform.newDataset()
  const document = await platform.addText(id, 'one tea\ntwo teas\nthree coffees', SEGMENT_PER_LINE)
  await platform.addText(other, 'one tea', SEGMENT_PER_LINE)
  const path = `/datasets/${id}/documents/${document['id']}/segments`
  const { body } = await platform.send('GET', path)
  const [first, second, third] = [body['data']?.[0], body['data']?.[1], body['data']?.[2]]
  await platform.send('POST', `${path}/${first?.['id']}`, { segment: { content: 'one water' } })
  await platform.send('POST', `${path}/${second?.['id']}`, { segment: { content: 'two teas', enabled: false } })
  await platform.send('DELETE', `${path}/${third?.['id']}`)
  await platform.send('POST', path, { segments: [{ content: 'four teas' }] })
  expect(await findMiscountedTerms(platform.database.pool)).toEqual([])
  await platform.updateText(id, document['id'], { name: 'again', text: 'five teas' })
  await expect.poll(() => platform.retrieveContents(id, 'five')).toEqual(['five teas'])
  expect(await findMiscountedTerms(platform.database.pool)).toEqual([])
  await platform.send('DELETE', `/datasets/${other}`)
  await expect
    .poll(async () => {
      const { rows } = await platform.database.pool.query('SELECT 1 FROM platform.term_counts WHERE dataset_id = $1', [
        other,
      ])
      return rows
    })
    .toEqual([])
  expect(await findMiscountedTerms(platform.database.pool)).toEqual([])
})
