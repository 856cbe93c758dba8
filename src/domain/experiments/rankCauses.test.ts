import { expect, test } from 'vitest'
import type { CauseKind } from '#contract/console/experiments/experimentCauses.ts'
import {
  type CauseSources,
  type CitedPassage,
  measureTextChange,
  rankCauses,
  type RecordedEdit,
  type RegressedCase,
} from './rankCauses.ts'

const [FROM, EDITED, TO] = [1_000, 2_000, 3_000]
const TEXT = 'A lamp lasts 2,000 hours.'
const OTHER = 'The counter is reset after each change of the lamp.'

const passage = (segment_id: string, text: string | null = TEXT): CitedPassage => ({
  segment_id,
  document_id: `doc of ${segment_id}`,
  dataset_id: 'd',
  text,
})
const regressed = (older: CitedPassage[], newer: CitedPassage[], case_id = 'c'): RegressedCase => ({
  case_id,
  older,
  newer,
  from: FROM,
  to: TO,
})
const edit = (kind: CauseKind, segment_id: string | null, more: Partial<RecordedEdit> = {}): RecordedEdit => ({
  call: `${kind} call`,
  person: 'Ann',
  at: EDITED,
  kind,
  dataset_id: 'd',
  document_id: segment_id === null ? 'doc of s' : `doc of ${segment_id}`,
  segment_id,
  text: null,
  ...more,
})
const NONE: CauseSources = { edits: [], settings: [], app: [], olderTexts: new Map() }
const settings = {
  call: 'settings call',
  person: 'Ann',
  at: EDITED,
  kind: 'dataset_settings',
  dataset_id: 'd',
} as const
const difference = { name: 'retrieval_model.top_k', before: '3', after: '1' }
const version = {
  kind: 'app_version',
  differences: [{ name: 'workflow_id', before: 'one', after: 'two' }],
} as const

const rank = (one: RegressedCase, sources: Partial<CauseSources>) => {
  const { causes, cases } = rankCauses([one], { ...NONE, ...sources, app: [...(sources.app ?? [])] })
  return (cases[0]?.causes ?? []).map(({ id, changed_share }) => [
    causes.find((cause) => cause.id === id)?.kind,
    changed_share === null ? null : Math.round(changed_share * 100) / 100,
  ])
}
const S = passage('s')

/** The cited segment is not found any more. */
const LOST = regressed([S], [])
const change = (text: string, more: Partial<RecordedEdit> = {}) => edit('segment_edited', 's', { text, ...more })
const FULL_EDIT: [CauseKind, number | null][] = [['segment_edited', 1]]

test.each<[string, RegressedCase, RecordedEdit[], [CauseKind, number | null][]]>([
  ['an edit of a cited segment', LOST, [change('New.')], FULL_EDIT],
  ['an edit that is still cited', regressed([S], [passage('s', 'New.')]), [change('New.')], FULL_EDIT],
  ['an edit that was taken back', LOST, [change('New.'), change(TEXT)], []],
  ['an edit before the older answer', LOST, [change('New.', { at: FROM - 1 })], []],
  ['an edit after the newer answer', LOST, [change('New.', { at: TO + 1 })], []],
  ['an edit of a segment that was not cited', regressed([S], [S]), [edit('segment_edited', 'x', { text: 'New.' })], []],
  ['an edit of keywords', regressed([S], [S]), [edit('segment_edited', 's')], [['segment_edited', null]]],
  ['an edit of child chunks', regressed([S], [S]), [edit('child_chunks_edited', 's')], [['child_chunks_edited', null]]],
  ['a deletion', LOST, [edit('segment_deleted', 's')], [['segment_deleted', 1]]],
  ['a segment that was disabled', LOST, [edit('segment_disabled', 's')], [['segment_disabled', 1]]],
  ['one that was disabled for a time', LOST, [edit('segment_disabled', 's'), edit('segment_enabled', 's')], []],
  ['a segment that came', regressed([S], [passage('n'), S]), [edit('segment_added', 'n')], [['segment_added', 1]]],
  [
    'an edit of what only the newer answer found',
    regressed([S], [passage('n', 'New.'), S]),
    [edit('segment_edited', 'n', { text: 'New.' })],
    [['segment_edited', null]],
  ],
  ['a document that was deleted', LOST, [edit('document_deleted', null)], [['document_deleted', 1]]],
  ['a document that was disabled', LOST, [edit('document_disabled', null)], [['document_disabled', 1]]],
  ['one that was enabled again', LOST, [edit('document_disabled', null), edit('document_enabled', null)], []],
  [
    'a new text that has the cited one',
    regressed([S], [{ ...S, segment_id: 'n' }]),
    [edit('document_replaced', null, { text: `${OTHER} a  LAMP lasts 2,000 hours.` })],
    [['document_replaced', 0]],
  ],
  ['a new text without it', LOST, [edit('document_replaced', null, { text: OTHER })], [['document_replaced', 1]]],
  ['a new file', LOST, [edit('document_replaced', null)], [['document_replaced', null]]],
  ['a document that came', regressed([], [S]), [edit('document_added', null)], [['document_added', 1]]],
  ['a change that nobody made', regressed([S], [passage('s', OTHER)]), [], [['segment_changed_unrecorded', 0.9]]],
  ['texts that are not known', regressed([passage('s', null)], [passage('s', null)]), [], []],
])('%s', (_name, one, edits, expected) => {
  expect(rank(one, { edits })).toEqual(expected)
})

test('what was changed and changed back is no cause of an answer that had not cited it', () => {
  const edits = [edit('segment_edited', 'n', { text: 'New.' }), edit('segment_edited', 'n', { text: OTHER })]
  const one = regressed([S], [passage('n', OTHER), S])
  expect(rank(one, { edits, olderTexts: new Map([['n', OTHER]]) })).toEqual([])
  expect(rank(one, { edits, olderTexts: new Map([['n', 'Other.']]) })).toEqual([['segment_edited', 0.94]])
})

test('edits come first by how much of the cited text changed, then another version, then settings', () => {
  const edits = [
    edit('segment_edited', 's', { text: 'A lamp lasts 3,000 hours.' }),
    edit('segment_edited', 't', { text: 'Nothing.', call: 'other' }),
    edit('segment_added', 'n'),
  ]
  const one = regressed([S, passage('t', OTHER)], [passage('n')])
  const sources = {
    edits,
    settings: [{ ...settings, differences: [difference] }],
    app: [{ ...version, differences: [...version.differences] }],
  }
  expect(rank(one, sources).map(([kind]) => kind)).toEqual([
    'segment_edited',
    'segment_edited',
    'app_version',
    'segment_added',
    'dataset_settings',
  ])
  expect(rankCauses([one], { ...NONE, edits }).cases[0]?.causes[0]?.id).toBe('other t')
})

test('a slight edit stands behind another version of the app, and before settings', () => {
  const long = `${OTHER} ${TEXT} Warm lamps are never touched, and none is thrown away before it is cold.`
  const edits = [edit('segment_edited', 's', { text: `${long} So.` })]
  const app = [{ ...version, differences: [...version.differences] }]
  const sources = { edits, app, settings: [{ ...settings, differences: [difference] }] }
  expect(rank(regressed([passage('s', long)], []), sources).map(([kind]) => kind)).toEqual([
    'app_version',
    'segment_edited',
    'dataset_settings',
  ])
})

test('for all cases the cause comes first that is the first of most of them', () => {
  const edits = [edit('segment_edited', 's', { text: 'New.' })]
  const cases = [
    regressed([S], [], 'one'),
    regressed([passage('t')], [], 'two'),
    regressed([passage('u')], [], 'three'),
  ]
  const { causes } = rankCauses(cases, { ...NONE, edits, settings: [{ ...settings, differences: [difference] }] })
  expect(causes.map(({ kind, cases: count }) => [kind, count])).toEqual([
    ['dataset_settings', 3],
    ['segment_edited', 1],
  ])
  expect(causes[0]).toMatchObject({
    call: 'settings call',
    person: 'Ann',
    at: '1970-01-01T00:00:02.000Z',
    differences: [difference],
  })
})

test('settings of another dataset are no cause', () => {
  expect(
    rank(regressed([S], []), { settings: [{ ...settings, dataset_id: 'other', differences: [difference] }] }),
  ).toEqual([])
})

test('texts that differ in the order of their words have changed', () => {
  expect(measureTextChange('one two', 'one two')).toBe(0)
  expect(measureTextChange('one two', 'two one')).toBe(0.01)
})
