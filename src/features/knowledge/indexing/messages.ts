/** Texts of a document on its way through the indexing. */
export const indexingMessages = {
  indexing: 'Indexing progress',
  hide: 'Hide the steps of {name}',
  stepLine: '{step} {seconds} s',
  stepAhead: '{step}: pending',
  stepUntimed: '{step}: not timed',
  way: 'Indexing: {lines}',
  rest: 'And {n, plural, one {# more document} other {# more documents}}, each in its own row.',
  completedCount: '{n} completed',
  hideAll: 'Hide all',
  noChange: 'No progress for {time}.',
  usual: 'Typical total: {time}.',
  usualUnknown: 'No indexing has been measured yet.',
  notAvailable: 'Platforms reject changes to a document until it is available. The change can be sent then.',
  neverAvailable:
    'Platforms reject changes to a document that is not available, and this one will not become available by itself.',
  isWaiting: 'It is sent as soon as the document is available. Keep this page open.',
  sendThen: 'Send when available',
  stopWaiting: 'Cancel waiting',
  sendAllTheSame: 'Send now anyway',
}
