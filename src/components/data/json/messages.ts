import { sharedTexts } from '../../i18n/sharedTexts.ts'

/** Texts of the views of JSON and of long texts. */
export const jsonMessages = {
  jsonTree: 'Tree',
  jsonRaw: sharedTexts.raw,
  jsonView: 'View of {label}',
  notJson: 'Not JSON, shown as received.',
  searchJson: 'Search in {label}',
  hits: '{at} of {count}',
  collapseLine: 'Collapse line {number}',
  characters: '{count, plural, one {1 character} other {# characters}}',
  items: '{count, plural, one {1 item} other {# items}}',
  moreLines: 'First {shown, number} of {count, number} lines shown. Show more',
  moreText: 'First {shown, number} of {count, number} characters shown. Show more',
  copyJson: 'Copy the record',
}
