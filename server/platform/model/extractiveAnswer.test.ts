import { expect, test } from 'vitest'
import fc from 'fast-check'
import type { Passage } from './candidateSentences.ts'
import { extractAnswer } from './extractiveAnswer.ts'
import { phrasesFor } from './phrases.ts'
import { splitSentences } from './sentences.ts'

const passage = (mark: number | string, content: string, answer?: string): Passage => ({
  mark,
  content,
  answer,
  score: 0.5,
})
const ask = (question: string, passages: Passage[], earlier: string[] = []) =>
  extractAnswer({ question, earlier, passages, maxSentences: 3 })

const TEA = [
  passage(
    1,
    '# Green tea\n\nGreen tea is not oxidised. Steep it at 80 degrees for two minutes.\n\n- It comes from China.',
  ),
  passage(2, '# Black tea\n\nBlack tea is fully oxidised. It takes boiling water. Loupe has nothing to do with tea.'),
]

test('the sentence that answers is quoted with the mark of its passage', () => {
  expect(ask('At how many degrees do I steep green tea?', TEA)).toBe('Steep it at 80 degrees for two minutes. [1]')
  expect(ask('Is black tea oxidised?', TEA)).toBe('Black tea is fully oxidised. [2]')
})

test('several sentences become a list in the order of the passages', () => {
  const answer = ask('Which tea is oxidised?', TEA)
  expect(answer).toBe('The documents say:\n\n- Green tea is not oxidised. [1]\n- Black tea is fully oxidised. [2]')
})

test('a question of several parts is answered part by part', () => {
  const answer = ask('At how many degrees do I steep green tea, and which water does black tea take?', TEA)
  expect(answer).toBe(
    'The documents say:\n\n- Steep it at 80 degrees for two minutes. [1]\n- It takes boiling water. [2]',
  )
})

test('asked what something is, the sentence that says so is the answer', () => {
  const passages = [
    passage(1, 'In the mill there is a cat. The mill is a house by the river. Loupe remembers the mill.'),
  ]
  expect(ask('What is the mill?', passages)).toBe('The mill is a house by the river. [1]')
})

test('a sentence that stands in two passages is quoted once with both marks', () => {
  const twice = [passage(1, 'Tea is a drink.'), passage(2, 'Tea is a drink. Coffee too.')]
  expect(ask('What is tea?', twice)).toBe('Tea is a drink. [1][2]')
})

test('a heading stands for its sentences', () => {
  expect(ask('What water does black tea take?', TEA)).toBe('It takes boiling water. [2]')
})

test('a follow-up takes its subject from what was asked before', () => {
  const passages = [
    passage(1, 'The green kettle boils in two minutes. The green kettle costs 30 euros. A pan costs 10 euros.'),
  ]
  expect(ask('What does it cost?', passages, ['How fast is the green kettle?'])).toContain(
    'The green kettle costs 30 euros. [1]',
  )
})

test('in Q&A form the answer is quoted, found by its question', () => {
  const faq = [passage(1, 'How long is the warranty?', 'Three years from the day of purchase.')]
  expect(ask('How long is the warranty?', faq)).toBe('Three years from the day of purchase. [1]')
})

test.each([
  [
    'German',
    'Die Mühle auf dem Hügel wurde 1902 gebaut. Ihr Mühlrad besteht aus Eichenholz. Der Gasthof hat sechs Zimmer.',
    ['Wann wurde die Mühle gebaut?', 'Die Mühle auf dem Hügel wurde 1902 gebaut.'],
    'Wie heißt die Hauptstadt von Frankreich?',
  ],
  [
    'Russian',
    'Мельница на холме была построена в 1902 году. Её колесо сделано из дуба. В гостинице шесть номеров.',
    ['Когда построили мельницу?', 'Мельница на холме была построена в 1902 году.'],
    'Кто написал «Войну и мир»?',
  ],
  [
    'Arabic',
    'بُنيت الطاحونة على التل عام 1902. عجلة الطاحونة مصنوعة من خشب البلوط. يوجد في نزل القرية ست غرف.',
    ['كم غرفة في نزل القرية؟', 'يوجد في نزل القرية ست غرف.'],
    'ما هي عاصمة فرنسا؟',
  ],
  [
    'Japanese',
    '丘の水車は1902年に建てられました。水車の輪は樫の木で作られています。村の宿には六つの部屋があります。',
    ['宿には部屋がいくつありますか', '村の宿には六つの部屋があります。'],
    '東京タワーの高さは何メートルですか',
  ],
  [
    'traditional Chinese',
    '山丘上的水車建於1902年。水車的輪子由橡木製成。村裡的客棧有六間客房。',
    ['客棧有多少間客房？', '村裡的客棧有六間客房。'],
    '誰發明了電話？',
  ],
  [
    'Korean',
    '언덕 위의 물레방아는 1902년에 지어졌다. 물레방아의 바퀴는 참나무로 만들어졌다. 마을의 여관에는 방이 여섯 개 있다.',
    ['물레방아의 바퀴는 무엇으로 만들어졌습니까?', '물레방아의 바퀴는 참나무로 만들어졌다.'],
    '프랑스의 수도는 어디입니까?',
  ],
  [
    'Thai',
    'โรงสีบนเนินเขาสร้างขึ้นในปี 1902\n\nโรงแรมในหมู่บ้านมีห้องพักหกห้อง',
    ['โรงแรมมีห้องพักกี่ห้อง', 'โรงแรมในหมู่บ้านมีห้องพักหกห้อง'],
    'เมืองหลวงของฝรั่งเศสคือเมืองอะไร',
  ],
])(
  '%s: the sentence with the answer is quoted, a question about something else is not answered',
  (...[, text, answerable, other]) => {
    const [question = '', sentence] = answerable
    expect(ask(question, [passage(1, text)])).toBe(`${sentence} [1]`)
    expect(ask(other, [passage(1, text)])).toBe(phrasesFor(other).unanswered('[1]'))
  },
)

test('other forms and compounds of a word are found', () => {
  const text = 'Die Überprüfung der Mühlenräder dauerte drei Wochen. Der Müller schlief. Im Garten blühten Rosen.'
  expect(ask('Wie lange dauert es, die Räder zu überprüfen?', [passage(1, text)])).toBe(
    'Die Überprüfung der Mühlenräder dauerte drei Wochen. [1]',
  )
})

test('common words in common are no answer without the names of the question', () => {
  const text = 'The population of the village was counted in 1902. The number of people grew in every year of the war.'
  expect(ask('What was the population of Newcastle in 1854?', [passage(1, text)])).toBe(
    phrasesFor('').unanswered('[1]'),
  )
  expect(ask('What was the population of the village in 1902?', [passage(1, text)])).toContain('counted in 1902. [1]')
})

test('a comma or an “and” does not make two questions of one', () => {
  const text = 'Anna Hill and Peter Moss left the abbey for their faith. Peter Moss was a miller. Anna Hill had a cat.'
  expect(ask('In the end, why did Anna Hill and Peter Moss leave the abbey?', [passage(1, text)])).toBe(
    'Anna Hill and Peter Moss left the abbey for their faith. [1]',
  )
})

test('two questions at once are answered in other languages too', () => {
  const text = 'Der Gasthof hat sechs Zimmer. Die Mühle ist alt. Die Katze schläft auf dem Dachboden.'
  expect(ask('Wie viele Zimmer hat der Gasthof, und wo schläft die Katze?', [passage(1, text)])).toContain(
    '- Der Gasthof hat sechs Zimmer. [1]\n- Die Katze schläft auf dem Dachboden. [1]',
  )
})

test('of sentences that match alike, those of the passage with the better score come first', () => {
  const passages = [passage(1, 'The mill was sold in 1910.'), { ...passage(2, 'The mill was sold in 1902.'), score: 1 }]
  const answer = extractAnswer({ question: 'When was the mill sold?', earlier: [], passages, maxSentences: 1 })
  expect(answer).toBe('The mill was sold in 1902. [2]')
})

test('references in a passage do not become citations', () => {
  expect(ask('When was the mill built?', [passage(1, 'The mill was built in 1902.[7] It stands still [8].')])).toBe(
    'The mill was built in 1902. [1]',
  )
})

test('it says so when nothing was found, and when nothing found answers, in the language of the question', () => {
  expect(ask('What is tea?', [])).toBe('I found nothing about this in the documents.')
  expect(ask('How tall is Mount Everest?', TEA)).toBe(
    'No sentence in the documents answers this. The nearest passage is [1].',
  )
  expect(ask('什么是茶？', [])).toBe('在文档中没有找到相关内容。')
  expect(ask('お茶とは何ですか', [])).toMatch(/見つかりませんでした/)
})

test('code is quoted as code', () => {
  const passages = [passage(1, '## Install\n\n```sh\nnpm install && npm start\n```\n\nIt opens a page.')]
  expect(ask('how to install with npm', passages)).toBe(
    'The documents say:\n\n- [1]\n\n  ```\n  npm install && npm start\n  ```\n',
  )
})

test('a file is cited by its name', () => {
  expect(ask('What is tea?', [passage('notes.txt', 'Tea is a drink.')])).toBe('Tea is a drink. (notes.txt)')
})

test('every word quoted stands in the passages, and every mark names one, whatever is asked', () => {
  const word = fc.constantFrom(
    'tea',
    'green',
    'water',
    'boils',
    '茶',
    '绿茶',
    'は',
    '水温',
    '80',
    '- ',
    '# ',
    '`',
    '|',
    '\n',
    '. ',
    '？',
    '🍵',
  )
  const prose = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(prose, fc.array(prose, { maxLength: 4 }), (question, contents) => {
      const passages = contents.map((content, index) => passage(index + 1, content))
      const answer = ask(question, passages)
      const marks = [...answer.matchAll(/\[(\d+)\]/g)].map(([, mark]) => Number(mark))
      expect(marks.every((mark) => mark >= 1 && mark <= passages.length)).toBe(true)
      const all = contents.flatMap((content) => splitSentences(content).map(({ text }) => text))
      const listed =
        answer.startsWith('The documents say:') || answer.startsWith('文')
          ? /^- (.+?) (?:\[\d+\])+$/gm
          : /^(.+?) (?:\[\d+\])+$/gm
      const quoted = [...answer.matchAll(listed)].map(([, text]) => text)
      for (const text of quoted) expect(all).toContain(text)
    }),
  )
})
