/** Texts of the pagers of lists. */
export const pagerMessages = {
  rows: '{from} to {to} of {total}',
  rowsOfMore: '{from} to {to} of more than {total}',
  noSuchPage: 'Page {page} does not exist. The last page is {last}.',
  emptyPage: 'Nothing on this page',
  rowsPerPage: '{limit} per page',
  pageSize: 'Rows per page',
  previous: 'Previous page',
  next: 'Next page',
  newest: 'Newest',
  older: 'Older',
  totalCount: '{rows, plural, one {1 in total} other {# in total}}',
  newestOf: 'The newest {rows} of {total}',
  newestOfMore: 'The newest {rows} of more than {total, number}',
  olderCount: '{rows} older',
  lastOlderCount: '{rows, plural, =0 {None older} one {The oldest one} other {The oldest #}}',
  noMatchSoFar: 'No match among the newest entries searched so far. Older ones may match.',
}
