import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

export const predictionMessages = {
  title: 'Test questions',
  hint: 'Shows which questions would get other results. Nothing is saved.',
  noSuites: 'No suite tests this dataset yet.',
  makeSuite: 'Create one in the retrieval test',
  check: 'Check {n, plural, one {# question} other {# questions}}',
  checking: '{done, number} of {all, number} checked',
  outdated: 'Changed since the last check.',
  suitesWhat: 'load the suites of the dataset',
  checkWhat: 'check the questions',
  estimate: 'Estimate',
  estimateText:
    'The platform has no dry run. Its segments were searched here by keyword, which may rank them differently.',
  obstacles: {
    not_listed: 'This cannot be predicted: the platform has no dry run, and does not list its segments.',
    too_large: 'This cannot be predicted: the platform has no dry run, and the dataset is too large to search here.',
  },
  nothingChanges: '{n, plural, one {The question has} other {All # questions have}} the same results as before.',
  summary: '{regressed, number} regressed, {fixed, number} fixed, {moved, number} moved, {unchanged, number} unchanged',
  leftOut: 'The first {n, number} of {all, number} questions were checked.',
  changedCases: 'Questions that would change',
  changes: {
    regressed: sharedTexts.regressed,
    fixed: sharedTexts.fixed,
    moved: 'moved',
    unchanged: sharedTexts.unchanged,
  },
  rank: sharedTexts.rankOf,
  notFound: sharedTexts.notFound,
  fromTo: '{before} to {after}',
}
