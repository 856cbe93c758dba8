import { markdown } from './markdown/messages.ts'

/** Words of the parts that every room uses. */
export const ui = {
  notGiven: 'not given',
  copyId: 'Copy id {id}',
  copied: 'Copied',
  retry: 'Retry',
  close: 'Close',
  cancel: 'Cancel',
  wholeAnswer: 'The whole answer',
  refused: 'The platform refused',
  refusedWhat: 'The platform refused to {what}.',
  brokeWhat: 'Could not {what}.',
  stillSignedIn: 'You are still signed in.',
  faultId: 'The log has it under {id}.',
  loading: 'Loading',
  rows: '{from} to {to} of {total}',
  aPage: '{limit} a page',
  pageSize: 'Rows a page',
  previous: 'Previous page',
  next: 'Next page',
  search: 'Search',
  refresh: 'Refresh',
  now: 'now',
  seconds: '{n} s',
  minutes: '{n} min',
  hours: '{n} h',
  yesterday: 'yesterday',
  days: '{n} days',
  jsonTree: 'Tree',
  jsonRaw: 'Raw',
}
export { markdown }
