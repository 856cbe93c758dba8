import { sharedTexts } from '../../components/i18n/sharedTexts.ts'

/** Texts of the import of cases, and of suites as files. */
export const suiteFileMessages = {
  importCases: 'Import cases',
  importWhy:
    'A table (CSV, XLSX) with promptfoo’s columns (a variable each, __expected, __description), or JSON Lines or a JSON list of Langfuse, Ragas or promptfoo. Nothing is added before you confirm it.',
  dropCaseFile: 'Drop a CSV, XLSX, JSONL or JSON file, or choose one',
  pasteCases: 'Or paste the rows',
  pastedCases: 'Pasted rows',
  readCases: 'Read the rows',
  otherCaseFile: 'Another file',
  caseFileUnreadable: 'The file could not be read: {reason}',
  rowsRead:
    '{rows, plural, one {# row} other {# rows}}: {cases, plural, one {# becomes a case} other {# become cases}}',
  becomes: 'Column mapping',
  fileColumn: 'Column',
  becomesPart: 'Maps to',
  parts: {
    question: 'the question',
    earlier: 'the questions of the conversation',
    input: 'an input of the app',
    answer: sharedTexts.theExpectedAnswer,
    check: 'checks of the case',
    name: 'the name of the case',
    tag: 'a tag',
    split: 'the split',
    source: 'the expected sources',
    left_out: 'ignored: a case has no such field',
  },
  faultsTitle: '{n, plural, one {# problem} other {# problems}}. Rows with problems are not imported',
  faultAt: 'line {line}',
  faultColumn: 'line {line}, {column}',
  moreFaults: 'And {n} more.',
  firstCases: 'The first cases',
  caseChecks: 'Checked by',
  addImported: '{n, plural, one {Add # case} other {Add # cases}}',
  addingImported: '{done} of {total} sent',
  importedCases:
    '{added, plural, one {# case was added} other {# cases were added}}. {duplicates, plural, =0 {} one {# already existed.} other {# already existed.}}',
  withoutCheck:
    '{n, plural, one {# case has} other {# cases have}} no check, and the suite has none: no answer passes until one is added.',
  importWhat: 'add the cases',
  saveSuiteFile: 'Save as file',
  saveFileWhat: 'save the suite as a file',
}
