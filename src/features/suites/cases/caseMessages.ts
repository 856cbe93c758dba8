import { commonMessages } from '../../../components/i18n/commonMessages.ts'
import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of one case and its revisions. */
export const caseMessages = {
  caseDetails: sharedTexts.case,
  showCase: 'Details and history',
  showCaseOf: 'Details and history of {name}',
  searchCases: 'Search cases',
  noCaseMatches: 'No case matches.',
  revisionsWhat: 'load the revisions of the case',
  caseNotFound: 'There is no such case in this suite.',
  caseFields: {
    name: commonMessages.name,
    query: commonMessages.question,
    earlier_turns: sharedTexts.earlierQuestions,
    inputs: commonMessages.inputs,
    files: commonMessages.files,
    answer: sharedTexts.expectedAnswer,
    sources: 'Expected sources',
    checks: sharedTexts.checks,
    tags: sharedTexts.tags,
    split: 'Split',
  },
  splitHelp: 'The part of the suite to which it belongs, as test or train.',
  madeFromRun: 'Made from the run {id}',
  revisionBy: 'Revision {n}, {person}',
  earlierRevisions: '{n, plural, one {# earlier revision} other {# earlier revisions}}',
  firstRevision: 'The first text.',
  sameRevision: 'Nothing that is shown here changed.',
}
