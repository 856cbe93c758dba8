import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of a table import: source, columns, validation. */
export const tableImportMessages = {
  tableWhy: 'The first line contains the column names. In JSON lines, each object contains its own.',
  dropHelp: 'Drop a CSV, Excel (XLSX) or JSONL file here, or choose one',
  paste: 'Or paste a table',
  pasteHelp: 'From a spreadsheet, as CSV, or as JSON lines',
  usePaste: 'Use pasted table',
  pasted: 'Pasted table',
  reading: 'Reading the table.',
  unreadable: 'Could not read the table: {reason}',
  read: '{rows, plural, one {# row} other {# rows}}, {columns, plural, one {# column} other {# columns}}, {delimiter}.',
  delimiters: {
    ',': 'commas',
    '\t': 'tabs',
    ';': 'semicolons',
    '|': 'bars',
    jsonl: sharedTexts.jsonLines,
    xlsx: 'Excel workbook',
    other: 'one column',
  },
  sheet: 'Sheet',
  otherTable: 'Another table',
  firstRows: 'First rows',
  note: {
    formulas:
      '{count, plural, one {1 cell begins} other {# cells begin}} with =, the first in row {row}, “{column}”. The text is sent unchanged and not evaluated.',
    savedResults:
      '{count, plural, one {1 cell has a formula} other {# cells have formulas}}. The results saved in the file are used, and nothing is calculated.{withoutResult, plural, =0 {} one { 1 cell has no saved result and is empty.} other { # cells have no saved result and are empty.}}',
  },
  errors: {
    unreadable: '{given}',
    notBoolean: '{label}: “{given}” is not a boolean. Use true or false.',
    notFiles: '{label}: “{given}” is not a file. Use URLs, or JSON with type, transfer_method and url.',
    rowTooLong: 'The row has more than {max, number} characters.',
    tooManyTurns: 'The row has more than {max, number} questions.',
    noInput: 'All inputs are empty. At least one is required.',
  },
  row: 'Row {row, number}',
  column: 'column “{column}”',
  // The columns.
  columnsWhy: 'Map columns to inputs. Unmapped columns stay with their rows and are included in the export.',
  noControls: 'This app has no inputs. Each row runs the app once without inputs.',
  required: 'required',
  kindOf: 'type of the input',
  from: 'Column for {label}',
  additionalFiles: 'Additional files',
  sameForAll: 'same value for all rows',
  useDefault: 'no column',
  theText: '{label} for all rows',
  defaultIs: 'default: {value}',
  firstValue: 'First row: {value}',
  emptyCell: 'empty',
  // The check.
  check: sharedTexts.check,
  checking: 'Checking all rows.',
  noProblems: '{good, plural, one {The row is} other {All # rows are}} valid.',
  problemCount:
    '{good, plural, one {# row is} other {# rows are}} valid, {bad, plural, one {# row is} other {# rows are}} not.',
  errorCount: '{n, plural, one {# problem} other {# problems}}',
  rowsShown: 'First {shown, number} of {count, number}.',
  skipFaulty: 'Skip these rows',
  duplicateCount: '{n, plural, one {# row repeats} other {# rows repeat}} a question that exists already.',
  existsSame: 'the app has this annotation',
  existsOther: 'the app has another answer to this question',
  repeatsSame: 'repeats row {row, number}',
  repeatsOther: 'other answer than row {row, number}',
  skipDuplicates: 'Leave these rows out',
  // Uploading.
  sending: 'Uploading rows: {sent, number} of {total, number}.',
  uploadWhat: 'upload the rows',
  uploadAgain: 'The rows uploaded so far are saved. Retry to continue.',
}
