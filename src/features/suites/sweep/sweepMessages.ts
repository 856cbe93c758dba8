import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the sweep over settings. */
export const sweepMessages = {
  title: sharedTexts.trySettings,
  intro:
    'Asks every question of the suite with each combination of settings, without saving any. Keep this page open until it is done.',
  noCases: 'The suite has no cases yet, so there is nothing to try.',
  form: 'Values to try',
  weightHelp: 'Of a hybrid search, 0 to 1.',
  chunkHelp: 'Always an estimate by keyword: the texts of the dataset are split here.',
  listHelp: 'Several values are separated by commas. Empty: as in the dataset.',
  errors: {
    top_k: 'must be whole numbers from 1 to 100',
    score_threshold: 'must be numbers from 0 to 1',
    vector_weight: 'must be numbers from 0 to 1',
    chunk_tokens: 'must be whole numbers from 50 to 4,000',
  },
  tooMany: '{n, number} combinations; at most {max, number} are tried at once.',
  start: 'Try {n, plural, one {# setting} other {# settings}}',
  progress: '{done, number} of {total, number} settings',
  sweepWhat: 'try the settings',
  leftOut: 'The first {n, number} of {all, number} questions were asked.',
  table: 'Settings tried',
  setting: 'Setting',
  current: 'as it is now',
  chunks: 'chunks of {n, number} tokens',
  source: 'How',
  sources: { dry_run: 'dry run', estimate: 'estimate', none: 'not possible' },
  questions: 'Questions',
  hit: 'Found',
  mrr: sharedTexts.mrr,
  best: 'best',
  bestOf:
    '{setting} finds more than the current setting: {fixed, number} questions more, {lost, number} less. Chance does not explain it.',
  noBest: 'No setting finds more than the current one by more than chance.',
  estimateNote: 'Estimates search by keyword here. Compare them with each other, not with dry runs.',
  noSettings: 'This cannot be tried: the platform has no dry run, and its segments cannot be searched here.',
  plot: 'Found questions by tokens: {text}',
  point: '{number}: {setting}, {hit} % found, {tokens, number} tokens',
  plotX: 'Tokens for a question',
  plotY: 'Found, in %',
  exportCsv: 'Export CSV',
}
