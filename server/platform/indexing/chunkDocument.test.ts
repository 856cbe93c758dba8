import { describe, expect, it } from 'vitest'
import { AUTOMATIC_RULE, type StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import { extractKeywords } from './keywords.ts'
import { chunkDocument, TooManySegmentsError, type NewSegment, type ChunkingJob } from './chunkDocument.ts'
import { extractPairs } from './questionAnswerPairs.ts'
import { parseProcessRule } from './processRule.ts'
import { cleanText } from '#domain/chunking/cleanText.ts'
import { countTokens } from './tokenCount.ts'
import { countWords } from '#domain/chunking/wordCount.ts'

const passageContext = { dataset_id: 'd', title: 'Title' }
const chunk = (text: string, rule: StoredProcessRule = AUTOMATIC_RULE, more: Partial<ChunkingJob> = {}): NewSegment[] =>
  [...chunkDocument({ text, rule, extension: 'txt', form: 'text_model', passageContext, ...more })].flatMap((stage) =>
    stage.stage === 'made' ? stage.segments : [],
  )
const contents = (made: { content: string }[]) => made.map(({ content }) => content)

describe('makeSegments', () => {
  it('goes through its stages in order, and says how many segments come', () => {
    const text = Array.from({ length: 450 }, (_, index) => `line ${index}`).join('\n')
    const rule = parseProcessRule({ mode: 'custom', rules: { segmentation: { separator: '\n' } } })
    const stages = [...chunkDocument({ text, rule, extension: 'txt', form: 'text_model', passageContext })]
    expect(stages.map(({ stage }) => stage)).toEqual(['cleaned', 'split', 'made', 'made', 'made', 'made', 'made'])
    expect(stages[0]).toMatchObject({ word_count: 900 })
    expect(stages[1]).toMatchObject({ total: 450 })
  })

  it('cuts at line ends of every kind', () => {
    for (const separator of ['\r\n', '\r', '\\r\\n', '\n']) {
      const rule = parseProcessRule({ mode: 'custom', rules: { segmentation: { separator } } })
      expect(contents(chunk('one\r\ntwo\nthree', rule))).toEqual(['one', 'two', 'three'])
    }
  })

  it('makes what the rule of the form says', () => {
    const rule = parseProcessRule({
      mode: 'hierarchical',
      rules: {
        parent_mode: 'paragraph',
        segmentation: { separator: '\n\n', max_tokens: 100 },
        subchunk_segmentation: { separator: '\n', max_tokens: 20 },
      },
    })
    const parents = chunk('a\nb\n\nc', rule, { form: 'hierarchical_model' })
    expect(parents.map(({ content, children, termVector }) => [content, contents(children), termVector])).toEqual([
      ['a\nb', ['a', 'b'], null],
      ['c', ['c'], null],
    ])
    expect(contents(chunk('a\nb\n\nc', rule))).toEqual(['a\nb', 'c'])
  })

  it('keeps every word of a full document in parents of a bounded size', () => {
    const text = Array.from({ length: 30_000 }, (_, index) => `word${index % 100}`).join(' ')
    const rule = parseProcessRule({ mode: 'hierarchical', rules: { parent_mode: 'full-doc' } })
    const parents = chunk(text, rule, { form: 'hierarchical_model' })
    expect(parents.length).toBeGreaterThan(1)
    expect(contents(parents).join(' ')).toBe(text)
    for (const { tokens, children } of parents) {
      expect(tokens).toBeLessThanOrEqual(10_000)
      for (const child of children) expect(child.tokens).toBeLessThanOrEqual(200)
    }
  })

  it('counts what it made', () => {
    const [segment] = chunk('Loupe keeps 中文 too.')
    expect(segment).toMatchObject({ word_count: 5, tokens: countTokens('Loupe keeps 中文 too.') })
    expect(segment?.index_node_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(segment?.termVector?.terms.length).toBeGreaterThan(4)
  })

  it('refuses to cut a text into crumbs', () => {
    const rule = parseProcessRule({ mode: 'custom', rules: { segmentation: { separator: '.' } } })
    expect(() => chunk('x.'.repeat(100_001), rule)).toThrow(TooManySegmentsError)
  })

  it('never cuts a row of a table', () => {
    const rows = Array.from(
      { length: 300 },
      (_, index) => `Frage ${index} 如何退货？,"Answer ${index}, with a\nsecond line."`,
    )
    const csv = ['question,answer', ...rows].join('\n')
    const expected = rows.map(
      (_, index) => `question: Frage ${index} 如何退货？; answer: Answer ${index}, with a second line.`,
    )
    const automatic = chunk(csv, AUTOMATIC_RULE, { extension: 'csv' })
    expect(automatic.map(({ content }) => content)).toEqual(expected)
    const custom = parseProcessRule({ mode: 'custom', rules: { segmentation: { separator: ';', max_tokens: 100 } } })
    const packed = chunk(csv, custom, { extension: 'csv' })
    expect(packed.length).toBeLessThan(150)
    expect(packed.flatMap(({ content }) => content.split('\n'))).toEqual(expected)
    expect(packed.every(({ tokens }) => tokens <= 100)).toBe(true)
    const parents = chunk(csv, AUTOMATIC_RULE, { extension: 'csv', form: 'hierarchical_model' })
    expect(parents.flatMap(({ children }) => children.map(({ content }) => content))).toEqual(expected)
  })
})

describe('pairsOf', () => {
  it('reads marked lines in several languages', () => {
    expect(extractPairs('intro\nQ1: One?\nstill one\nA1: Yes.\n\n问题：二？\n答案：是。\nQ: no answer', 'txt')).toEqual(
      [
        { question: 'One?\nstill one', answer: 'Yes.' },
        { question: '二？', answer: '是。' },
      ],
    )
  })

  it('reads CSV by its extension or its heading', () => {
    const pairs = [{ question: 'a, b?', answer: 'line\nline' }]
    expect(extractPairs('"a, b?","line\nline"\n"no answer",', 'csv')).toEqual(pairs)
    expect(extractPairs('Question,Answer\n"a, b?","line\nline"', 'txt')).toEqual(pairs)
    expect(extractPairs('just, text', 'txt')).toEqual([])
  })
})

describe('tidy', () => {
  const off = { remove_extra_spaces: false, remove_urls_emails: false }
  const spaces = { ...off, remove_extra_spaces: true }
  const urls = { ...off, remove_urls_emails: true }

  it.each([
    ['line ends of every kind are one', 'a\r\nb\rc\vd\u0085e\u2028f\tg\x1Eh', off, 'a\nb\nc\nd\ne\nf\tg h'],
    ['what has no width goes', 'a\u0000\u0007 Reise\u00ADkosten\u200B\uFEFF', off, 'a Reisekosten'],
    ['blanks stay where nothing is said of them', 'a   b\n\n\n\nc', off, 'a   b\n\n\n\nc'],
    ['blanks and empty lines are joined', 'a \t\u3000 b\n\n\n\nc  d', spaces, 'a b\n\nc d'],
    ['indents stay', 'a:\n    b  c\n\t\td', spaces, 'a:\n    b c\n\t\td'],
    [
      'addresses go',
      'See https://a.example/b?c=d#e, or（http://例.example/x）write to a.b+c@d.example.org!',
      urls,
      'See  or（）write to !',
    ],
    ['brackets of an address go with it', 'at <https://a.example/x> or https://a.example/a_(b).', urls, 'at  or '],
    [
      'links of Markdown stay',
      '[a](https://a.example/a_(b)) ![d](http://b.example/d.png "D") [e](mailto:e@a.example) f@a.example',
      urls,
      '[a](https://a.example/a_(b)) ![d](http://b.example/d.png "D") [e](mailto:e@a.example) ',
    ],
  ])('%s', (_, text, rule, cleaned) => expect(cleanText(text, rule)).toBe(cleaned))

  it('takes time in proportion to the text', () => {
    const both = { remove_extra_spaces: true, remove_urls_emails: true }
    for (const hard of [
      'a'.repeat(1_000_000),
      'a.'.repeat(500_000),
      'a@'.repeat(300_000),
      'a@b.'.repeat(200_000),
      ' \n'.repeat(500_000),
      'http://'.repeat(100_000),
      '[a](http://('.repeat(80_000),
      '['.repeat(1_000_000),
      `[${'a'.repeat(1_000_000)}`,
      '](mailto:a'.repeat(100_000),
      ' '.repeat(1_000_000),
    ])
      expect(cleanText(hard, both).length).toBeLessThanOrEqual(hard.length)
  })
})

describe('counting', () => {
  it('counts words as a word processor does', () => {
    expect(countWords('Don’t stop: it’s well-known, 3.5 times.')).toBe(7)
    expect(countWords('知识库 and 日本語')).toBe(7)
    expect(countWords(' \n')).toBe(0)
  })

  it('counts tokens of any text, its own marks and endless words included', () => {
    expect(countTokens('Hello world')).toBe(2)
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1)
    expect(countTokens('')).toBe(0)
    expect(countTokens('a'.repeat(1_000_000))).toBe(125_000)
  })

  it('names the words a text is about', () => {
    expect(extractKeywords('The relay carries requests. The relay counts requests and the relay waits.')[0]).toBe(
      'relay',
    )
    expect(extractKeywords('北京是中国的首都。北京有故宫。')[0]).toBe('北京')
    expect(extractKeywords('the of and')).toEqual([])
  })
})
