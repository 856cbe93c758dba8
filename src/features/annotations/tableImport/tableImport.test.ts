import { describe, expect, test } from 'vitest'
import { AppParameters } from '#contract/platform/appParameters.ts'
import { toInputFields } from '../../runs/inputs/inputFields.ts'
import { checkRow } from './rowCheck.ts'
import { toUploadRule } from '../../runs/inputs/inputFiles.ts'
import {
  makeRequestFilesField,
  makeTurnField,
  REQUEST_FILES_FIELD,
  guessMapping,
  toBatchSource,
  toTurnFieldName,
} from './columnMapping.ts'

const controls = toInputFields(
  AppParameters.parse({
    user_input_form: [
      { 'text-input': { label: 'Topic', variable: 'topic', required: true, max_length: 5 } },
      { select: { label: 'Language', variable: 'lang', options: ['en', 'zh'] } },
      { number: { label: 'Count', variable: 'count' } },
      { checkbox: { label: 'As list', variable: 'as_list' } },
      { 'file-list': { label: 'Papers', variable: 'papers', allowed_file_types: ['document'] } },
    ],
  }),
)

test('columns are guessed by name and label, each once', () => {
  expect(guessMapping(controls, ['ID', 'Count', 'language', 'topic', 'As-List'])).toEqual({
    topic: { column: 3 },
    lang: { column: 2 },
    count: { column: 1 },
    as_list: { column: 4 },
  })
  expect(guessMapping(controls.slice(0, 1), ['anything'])).toEqual({ topic: { column: 0 } })
})

test('columns with similar names are guessed, the most similar first, and others are left alone', () => {
  expect(guessMapping(controls, ['Topics', 'langauge', 'item_count', 'identifier'])).toEqual({
    topic: { column: 0 },
    lang: { column: 1 },
    count: { column: 2 },
  })
  expect(guessMapping(controls, ['customerTopic', 'comment', 'price'])).toEqual({ topic: { column: 0 } })
  expect(guessMapping(controls, ['x', 'y'])).toEqual({})
})

describe('the questions of a chat', () => {
  const turns = [makeTurnField(1, 'Question 1'), makeTurnField(2, 'Question 2')]
  const fields = [...turns, ...controls.slice(0, 1)]

  test('are guessed by the names that tables of tests have, each turn by its number', () => {
    expect(guessMapping(turns, ['id', 'Question'])).toEqual({ [toTurnFieldName(1)]: { column: 1 } })
    expect(guessMapping(fields, ['turn_2', 'turn_1', 'topic'])).toEqual({
      [toTurnFieldName(1)]: { column: 1 },
      [toTurnFieldName(2)]: { column: 0 },
      topic: { column: 2 },
    })
    for (const name of ['query', 'User prompt', '问题', 'message 1'])
      expect(guessMapping(turns.slice(0, 1), ['id', name])).toEqual({ [toTurnFieldName(1)]: { column: 1 } })
  })

  test('are sent in order, without empty ones; a JSON list of texts is several', () => {
    const heads = ['q1', 'q2', 'topic']
    const mapping = {
      [toTurnFieldName(1)]: { column: 0 },
      [toTurnFieldName(2)]: { column: 1 },
      topic: { column: 2 },
    }
    const of = (cells: string[]) => checkRow(1, cells, { heads, controls: fields, mapping, needsInput: false })
    expect(of(['One', 'Two', 'tea'])).toEqual({
      input: { inputs: { topic: 'tea' }, turns: ['One', 'Two'], beside: {} },
      errors: [],
    })
    expect(of(['One', ' ', 'tea']).input.turns).toEqual(['One'])
    expect(of(['["One","Two"]', 'Three', 'tea']).input.turns).toEqual(['One', 'Two', 'Three'])
    expect(of(['["not', '', 'tea']).input.turns).toEqual(['["not'])
    expect(of(['', 'Two', 'tea']).errors).toMatchObject([{ column: 'q1', error: { key: 'required' } }])
    expect(of([JSON.stringify(Array(51).fill('x')), '', 'tea']).errors).toMatchObject([
      { error: { key: 'tooManyTurns' } },
    ])
  })

  test('and the inputs of a file are what its export names its columns by', () => {
    const mapping = { [toTurnFieldName(1)]: { column: 1 }, topic: { column: 0 }, [REQUEST_FILES_FIELD]: { column: 2 } }
    expect(toBatchSource('a.xlsx', { heads: ['topic', 'q', 'f', 'id'], rows: 20 }, mapping)).toEqual({
      name: 'a.xlsx',
      rows: 20,
      columns: [
        { name: 'topic', target: { input: 'topic' } },
        { name: 'q', target: { turn: 1 } },
        { name: 'f', target: 'files' },
        { name: 'id', target: null },
      ],
    })
    const heads = Array.from({ length: 3_000 }, (_, index) => `c${index}`)
    expect(toBatchSource('wide.csv', { heads, rows: 1 }, {})).toBeNull()
  })
})

describe('a row', () => {
  const heads = ['topic', 'lang', 'count', 'list', 'papers', 'id']
  const mapping = {
    topic: { column: 0 },
    lang: { column: 1 },
    count: { column: 2 },
    as_list: { column: 3 },
    papers: { column: 4 },
  }
  const check = (cells: string[]) => checkRow(7, cells, { heads, controls, mapping, needsInput: true })

  test('is sent in the types of the form, and keeps what the form does not ask for', () => {
    const { input, errors } = check([
      'tea',
      ' zh',
      '3',
      'Yes',
      'https://a.example/a.pdf https://a.example/b.pdf',
      '007',
    ])
    expect(errors).toEqual([])
    expect(input).toEqual({
      inputs: {
        topic: 'tea',
        lang: 'zh',
        count: 3,
        as_list: true,
        papers: ['a', 'b'].map((name) => ({
          type: 'document',
          transfer_method: 'remote_url',
          url: `https://a.example/${name}.pdf`,
        })),
      },
      // The export has these cells as they were, since the request says them differently.
      beside: {
        id: '007',
        lang: ' zh',
        list: 'Yes',
        papers: 'https://a.example/a.pdf https://a.example/b.pdf',
      },
    })
  })

  test('names all that is wrong with it, with its columns', () => {
    const { errors } = check(['', 'fr', 'many', 'perhaps', 'ftp://a', ''])
    expect(errors.map(({ row, column, error }) => [row, column, error.key])).toEqual([
      [7, 'list', 'notBoolean'],
      [7, 'topic', 'required'],
      [7, 'lang', 'notOption'],
      [7, 'count', 'notNumber'],
      [7, 'papers', 'notUrl'],
    ])
    expect(check(['too long', '', '', '', '', '']).errors.map(({ error }) => error.key)).toEqual(['tooLong'])
    const long = { heads: ['topic'], controls: controls.slice(1, 2), mapping: {}, needsInput: true }
    expect(checkRow(1, ['x'.repeat(500_000)], long).errors.map(({ error }) => error.key)).toEqual([
      'noInput',
      'rowTooLong',
    ])
  })

  test('has files beside its inputs: URLs, JSON of them, or the interface’s objects', () => {
    const rule = toUploadRule(
      AppParameters.parse({
        file_upload: { enabled: true, allowed_file_types: ['image', 'document'], number_limits: 2 },
      }),
    )
    if (!rule) throw new Error('The app lets files in.')
    const all = [...controls.slice(0, 1), makeRequestFilesField(rule, 'Files')]
    const found = guessMapping(all, ['topic', 'Files'])
    expect(found).toEqual({ topic: { column: 0 }, [REQUEST_FILES_FIELD]: { column: 1 } })
    const of = (cell: string) =>
      checkRow(1, ['tea', cell], { heads: ['topic', 'Files'], controls: all, mapping: found, needsInput: true })
    const image = { type: 'image', transfer_method: 'remote_url', url: 'https://a.example/a,b.png' }
    const uploaded = { type: 'document', transfer_method: 'local_file', upload_file_id: 'f1' }
    const other = { ...image, url: 'https://a.example/c.png' }
    expect(of('').input).toEqual({ inputs: { topic: 'tea' }, beside: {} })
    expect(of(image.url).input).toEqual({ inputs: { topic: 'tea' }, files: [image], beside: { Files: image.url } })
    for (const cell of [`${image.url}, ${other.url}`, JSON.stringify([image.url, other.url])])
      expect(of(cell)).toMatchObject({ input: { files: [image, other] }, errors: [] })
    expect(of(JSON.stringify([{ url: image.url }, uploaded])).input.files).toEqual([image, uploaded])
    const faultsOf = (cell: string) => of(cell).errors.map(({ column, error }) => [column, error.key])
    for (const cell of ['[1]', '[', '{"type":"image"}', '[{"type":1,"transfer_method":"remote_url","url":"x"}]'])
      expect(faultsOf(cell)).toEqual([['Files', 'notFiles']])
    expect(faultsOf('ftp://a')).toEqual([['Files', 'notUrl']])
    expect(faultsOf('https://a/1.png https://a/2.png https://a/3.png')).toEqual([['Files', 'tooManyFiles']])
    expect(faultsOf('{"type":"video","url":"https://a/1.mp4"}')).toEqual([['Files', 'fileType']])
  })
})
