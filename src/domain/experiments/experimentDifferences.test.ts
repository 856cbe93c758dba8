import { expect, test } from 'vitest'
import type { Experiment, ExperimentDifference } from '#contract/console/suites.ts'
import { type ExperimentFingerprint, listDifferences } from './experimentDifferences.ts'

interface Given extends Partial<Omit<ExperimentFingerprint, 'experiment'>> {
  target?: Partial<Experiment['target']>
  tags?: Experiment['tags']
  repetitions?: number
  user?: string
}
const toFingerprint = ({ target, tags = {}, repetitions = 1, user, ...rest }: Given): ExperimentFingerprint => ({
  experiment: {
    target: { key: 'k', source: 'app', dataset_id: null, workflow_id: null, retrieval_model: null, ...target },
    tags,
    repetitions,
    batch: { settings: user ? { user, response_mode: 'streaming' } : null },
  } as Experiment,
  checks: [],
  versions: [],
  platform_versions: [],
  knowledge: null,
  ...rest,
})
const toDocument = (id: string, hash: string, has_segments = true) => ({
  dataset_id: 'd',
  id,
  name: `The ${id}`,
  hash,
  has_segments,
})
const toKnowledge = (version: string, documents: ReturnType<typeof toDocument>[]) => ({
  datasets: [
    {
      dataset_id: 'd',
      hash: JSON.stringify(documents),
      settings: `settings ${version}`,
      documents: documents.length,
      unknown: [],
    },
  ],
  documents,
})
const SETTINGS = { search_method: 'keyword_search', reranking_enable: false, top_k: 3 }

test.each<[string, Given, Given, ExperimentDifference[]]>([
  ['nothing', {}, {}, []],
  [
    'the version that ran, also where none was asked for',
    { versions: ['v1'] },
    { versions: ['v3', 'v2'] },
    [{ name: 'workflow_id', before: 'v1', after: 'v2, v3' }],
  ],
  [
    'the version that was asked for, where none is known to have run',
    { target: { workflow_id: 'v1' } },
    {},
    [{ name: 'workflow_id', before: 'v1', after: null }],
  ],
  [
    'each setting of retrieval',
    { target: { retrieval_model: { ...SETTINGS } } },
    { target: { retrieval_model: { ...SETTINGS, top_k: 5 } } },
    [{ name: 'retrieval_model.top_k', before: '3', after: '5' }],
  ],
  [
    'the key, the user, the release and the tags',
    { target: { key: 'a' }, user: 'one', platform_versions: ['1.4.0'], tags: { 'git.sha': '1' } },
    { target: { key: 'b' }, user: 'two', platform_versions: ['1.5.0'], tags: { 'git.sha': '2' } },
    [
      { name: 'key', before: 'a', after: 'b' },
      { name: 'platform_version', before: '1.4.0', after: '1.5.0' },
      { name: 'user', before: 'one', after: 'two' },
      { name: 'tags.git.sha', before: '1', after: '2' },
    ],
  ],
  [
    'the checks that only one has',
    { checks: [{ type: 'equals' }, { type: 'latency', threshold: 500 }] },
    { checks: [{ type: 'equals' }, { type: 'latency', threshold: 900 }], repetitions: 3 },
    [
      { name: 'repetitions', before: '1', after: '3' },
      { name: 'checks', before: 'latency, threshold 500', after: null },
      { name: 'checks', before: null, after: 'latency, threshold 900' },
    ],
  ],
  [
    'the documents and the settings of a dataset',
    { knowledge: toKnowledge('1', [toDocument('kept', 'a'), toDocument('edited', 'a'), toDocument('removed', 'a')]) },
    { knowledge: toKnowledge('2', [toDocument('kept', 'a'), toDocument('edited', 'b'), toDocument('added', 'b')]) },
    [
      { name: 'dataset.d', before: 'settings 1', after: 'settings 2' },
      { name: 'document.edited', before: 'The edited (a)', after: 'The edited (b)' },
      { name: 'document.removed', before: 'The removed (a)', after: null },
      { name: 'document.added', before: null, after: 'The added (b)' },
    ],
  ],
  [
    'no document whose segments only one could list, and no dataset that only one has recorded',
    { knowledge: toKnowledge('1', [toDocument('big', 'a', false)]) },
    { knowledge: { ...toKnowledge('1', [toDocument('big', 'b')]) } },
    [],
  ],
  ['nothing of the knowledge where one did not record it', { knowledge: toKnowledge('1', []) }, {}, []],
])('what differs: %s', (_, before, after, differences) =>
  expect(listDifferences(toFingerprint(before), toFingerprint(after))).toEqual(differences),
)
