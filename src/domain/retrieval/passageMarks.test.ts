import { describe, expect, it } from 'vitest'
import { compareRankings } from './compareRankings.ts'
import { markPassage } from './passageMarks.ts'

const show = (text: string, question: string) => {
  const { words, best } = markPassage(text, question)
  return {
    words: words.map(({ start, end }) => text.slice(start, end)),
    best: best && text.slice(best.start, best.end),
  }
}

describe('marks of a passage', () => {
  it('are the telling words of the question in any form, and the sentence that has most of them', () => {
    const text = 'The lamp is blue. Returned lamps are paid back within 45 days. Days are long.'
    expect(show(text, 'How is the lamp returned within days?')).toEqual({
      words: ['lamp', 'Returned', 'lamps', 'within', 'days', 'Days'],
      best: 'Returned lamps are paid back within 45 days.',
    })
  })

  it('work in scripts without spaces, however the words are cut', () => {
    const text = '灯的保修期为三年。办理退货请在四十五天内联系我们。其他问题请致电。'
    expect(show(text, '如何退货？')).toEqual({ words: ['退货'], best: '办理退货请在四十五天内联系我们。' })
    expect(show('ランプの保証期間は三年です。返品は四十五日以内です。', '返品はできますか')).toMatchObject({
      best: '返品は四十五日以内です。',
    })
  })

  it('find compatibility characters, and stand at the place of the original', () => {
    const text = '前言。⼀份⽂档说明。Ｗａｒｒａｎｔｙ 36 months.'
    expect(show(text, '文档 warranty')).toMatchObject({ words: ['⽂档', 'Ｗａｒｒａｎｔｙ'] })
    const accents = 'Ein Cafe\u0301 in der Haupt\u00ADstraße.'
    expect(show(accents, 'CAFE hauptstrasse')).toMatchObject({ words: ['Cafe\u0301', 'Haupt\u00ADstraße'] })
  })

  it('choose by likeness where no word of the question occurs, and nothing where nothing is alike', () => {
    const text = 'Opening hours of the desk. Refunding takes a while.'
    expect(markPassage(text, 'unrefundable?')).toMatchObject({ words: [], isByLikeness: true })
    expect(show(text, 'unrefundable?').best).toBe('Refunding takes a while.')
    expect(markPassage('退货', 'xyz qqq')).toMatchObject({ words: [], best: null, isByLikeness: false })
  })

  it('show the whole of a short text, and of a long one the sentences round the best', () => {
    const filler = 'Nothing to see in this sentence at all. '.repeat(40)
    const text = `${filler}The orrery warranty lasts 36 months. ${filler}`
    const { window, best } = markPassage(text, 'orrery warranty')
    const shown = text.slice(window.start, window.end)
    expect(shown).toContain('The orrery warranty lasts 36 months.')
    expect(shown.length).toBeLessThanOrEqual(420)
    expect(best && window.start <= best.start && window.end >= best.end).toBe(true)
    expect(markPassage('short', 'x').window).toEqual({ start: 0, end: 5 })
    const endless = 'x'.repeat(5000)
    expect(markPassage(endless, 'y').window.end).toBeGreaterThan(0)
  })
})

it('two rankings are compared by id: moved up, moved down, new and gone', () => {
  const { changes, counts } = compareRankings(['a', 'b', 'c', 'd', 'a'], ['a', 'c', 'b', 'e'])
  expect(Object.fromEntries(changes)).toEqual({
    a: { is: 'same' },
    c: { is: 'up', by: 1 },
    b: { is: 'down', by: 1 },
    e: { is: 'new' },
    d: { is: 'gone' },
  })
  expect(counts).toEqual({ same: 1, up: 1, down: 1, new: 1, gone: 1 })
})
