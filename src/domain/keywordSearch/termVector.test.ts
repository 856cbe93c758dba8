import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashTerm, toDatasetMarker, toQueryTerms, toTermVector } from './termVector.ts'

const context = { dataset_id: 'd', title: 'On relays' }
const isFoundBy = (text: string, query: string): boolean => {
  const { terms } = toTermVector(text, { ...context, title: '' })
  return toQueryTerms(query).some(({ hash, isCovering }) => isCovering && terms.includes(hash))
}

describe('toTermVector', () => {
  it('has the terms of the text, and the marker of the dataset', () => {
    const { terms, length } = toTermVector('The relay carries 请求', context)
    expect(length).toBe(3)
    for (const term of ['relay', 'carry', '请求', '请', '求']) expect(terms).toContain(hashTerm(term))
    expect(terms[0]).toBe(toDatasetMarker('d'))
  })

  it('keeps the words of the title apart from those of the text', () => {
    const { terms } = toTermVector('Tea', context)
    expect(terms).not.toContain(hashTerm('relay'))
    const inTitle = toQueryTerms('relays').filter(({ field }) => field === 'title')
    for (const { hash } of inTitle) expect(terms).toContain(hash)
    const [inText] = toQueryTerms('relays').filter(({ field }) => field === 'text')
    expect(inTitle[0]?.weight).toBeLessThan(inText?.weight ?? 0)
  })

  it('counts a word that is repeated, up to a bound', () => {
    const { terms } = toTermVector('echo '.repeat(100), context)
    expect(terms.filter((term) => term === hashTerm('echo'))).toHaveLength(8)
  })

  it.each([
    ['Die Regierung beschloss neue Gesetze.', 'Regierungen'],
    ['Правительство приняло новые законы.', 'закона'],
    ['وافقت الحكومة على القوانين', 'حكومة'],
    ['รัฐบาลอนุมัติกฎหมายใหม่', 'กฎหมาย'],
    ['政府は新しい法律を承認した', '法律'],
    ['The runs were indexed', 'indexing'],
    ['Le café ferme', 'CAFE'],
    ['Die Straße', 'STRASSE'],
    ['Strasse', 'straße'],
    ['Reise\u00ADkosten\u200Babrechnung', 'Reisekostenabrechnung'],
    ['ŁÓDŹ, İstanbul, Ærø', 'lodz'],
    ['ŁÓDŹ, İstanbul, Ærø', 'ISTANBUL'],
    ['ŁÓDŹ, İstanbul, Ærø', 'aero'],
    ['مُحَمَّدٌ', 'محمد'],
    ['الأسعار', 'الاسعار'],
    ['ёлка', 'елка'],
    ['か\u3099くせい', 'がくせい'],
    ['ＦＡＱ', 'faq'],
    ['Launch 🚀 and 👍🏽', '👍'],
    ['Call IT', 'it'],
    ['What is it?', 'what is it'],
    ['これは何ですか', 'です'],
    ['是什么', '什么'],
  ])('“%s” is found by “%s”', (text, query) => {
    expect(isFoundBy(text, query)).toBe(true)
  })

  it.each([
    ['Кавказ мой', 'мои'],
    ['か', 'が'],
    ['It is there', 'IT department'],
    ['Understanding', 'under'],
  ])('“%s” is not found by “%s”', (text, query) => {
    expect(isFoundBy(text, query)).toBe(false)
  })

  it('does not cut numbers and identifiers', () => {
    expect(isFoundBy('Invoice 2024001 is paid', '2024002')).toBe(false)
    expect(isFoundBy('Invoice 2024001 is paid', '2024001')).toBe(true)
  })

  it('hashes into the range of a PostgreSQL integer', () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        const hash = hashTerm(word)
        expect(Number.isInteger(hash) && hash >= -(2 ** 31) && hash < 2 ** 31).toBe(true)
      }),
    )
    expect(new Set(Array.from({ length: 50_000 }, (_, index) => hashTerm(`word${index}`))).size).toBeGreaterThan(49_990)
  })
})

describe('toQueryTerms', () => {
  it('shares the weight of a word between its stem and its first letters', () => {
    const terms = toQueryTerms('documents').filter(({ field }) => field === 'text')
    expect(terms.map(({ hash }) => hash)).toEqual([hashTerm('document'), hashTerm('docum')])
    expect(terms.reduce((sum, { weight }) => sum + weight, 0)).toBe(1)
  })

  it('adds the terms of former versions: whole words, with accents', () => {
    const former = [hashTerm('законы'), hashTerm('café')]
    const listHashes = (hasFormerTerms: boolean) =>
      toQueryTerms('законы café', { hasFormerTerms }).map(({ hash }) => hash)
    expect(listHashes(true)).toEqual(expect.arrayContaining(former))
    for (const hash of former) expect(listHashes(false)).not.toContain(hash)
  })
})
