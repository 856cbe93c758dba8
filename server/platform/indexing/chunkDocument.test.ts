import { describe, expect, it } from 'vitest'
import { AUTOMATIC_RULE, type StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import { extractKeywords } from './keywords.ts'
import { chunkDocument, TooManySegmentsError, type NewSegment, type ChunkingJob } from './chunkDocument.ts'
import { ReadingLosses } from '#domain/documentReading/readingLoss.ts'
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

describe('questions and answers', () => {
  const read = (text: string, extension: string) => {
    const losses = new ReadingLosses()
    const pairs = extractPairs(text, extension, { clean: (part) => part, losses }).map(({ question, answer }) => [
      question,
      answer,
    ])
    return [pairs, losses.list.map(({ kind, count, places }) => [kind, count, places?.numbers])]
  }

  it.each([
    [
      'a table, with what has no answer and further columns',
      'csv',
      'question,answer,link\nReset?,Hold it.,https://help.example\nEmpty?,,x\n,Lost.,\n',
      [['Reset?', 'Hold it.']],
      [
        ['extra_cell', 2, [2, 3]],
        ['row_without_answer', 1, [3]],
        ['row_without_question', 1, [4]],
      ],
    ],
    [
      'a table whose cells have markers',
      'csv',
      'question,answer\nTicket?,"Write:\nQ: what\nA: how"\nFast?,Yes.',
      [
        ['Ticket?', 'Write:\nQ: what\nA: how'],
        ['Fast?', 'Yes.'],
      ],
      [],
    ],
    ['columns in any order', 'csv', 'id;回复;提问\n1;是。;二？', [['二？', '是。']], [['extra_cell', 1, [2]]]],
    [
      'a table without names',
      'tsv',
      '"a, b?"\t"line\nline"\nopen?\t',
      [['a, b?', 'line\nline']],
      [['row_without_answer', 1, [2]]],
    ],
    [
      'the sheets of a workbook',
      'xlsx',
      '"q","a"\n"1","2"\f"问题","答案"\n"3","4"',
      [
        ['1', '2'],
        ['3', '4'],
      ],
      [],
    ],
    ['a text that is a table', 'txt', 'Question,Answer\n"a, b?","line"', [['a, b?', 'line']], []],
    [
      'marked lines, with text outside of pairs',
      'txt',
      'intro\r\nQ1: One?\r\nstill one\r\nA1: Yes.\n\n问题：二？\n答案：是。\nQ: no answer\n질문: 셋?\n답변: 네',
      [
        ['One?\nstill one', 'Yes.'],
        ['二？', '是。'],
        ['셋?', '네'],
      ],
      [
        ['text_outside_pairs', 1, [1]],
        ['row_without_answer', 1, [8]],
      ],
    ],
    [
      'options of a question and of an answer',
      'md',
      'Q: Which colour?\nA. Green\nB. Blue\nA: Blue. Not:\nA. Green\nA: ever',
      [['Which colour?\nA. Green\nB. Blue', 'Blue. Not:\nA. Green\nA: ever']],
      [],
    ],
    ['dots as marks', 'txt', 'Q. Who?\nA. We.\nA. Or they.', [['Who?', 'We.\nA. Or they.']], []],
    ['neither', 'txt', 'just, text', [], [['text_outside_pairs', 1, [1]]]],
  ])('%s (%s)', (_, extension, text, pairs, losses) => expect(read(text, extension)).toEqual([pairs, losses]))

  it('are cleaned one by one, and what is lost is recorded with the document', () => {
    const job = {
      text: 'q,a\na\u00ADb?,"1  2"\n?,\n',
      extension: 'csv',
      form: 'qa_model',
      rule: AUTOMATIC_RULE,
    } as const
    const [cleaned, , made] = chunkDocument({ ...job, passageContext: { dataset_id: 'd', title: 't' } })
    expect(cleaned).toMatchObject({ losses: [{ kind: 'row_without_answer', count: 1 }] })
    expect(made).toMatchObject({ segments: [{ content: 'ab?', answer: '1 2' }] })
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
