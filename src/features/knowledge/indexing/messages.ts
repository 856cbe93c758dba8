/** Words of a document on its way through the indexing. */
export const indexingMessages = {
  unnamed: 'Name not given',
  indexing: 'Indexing as it happens',
  hide: 'Hide the steps of {name}',
  stepTook: '{seconds} s',
  stepLine: '{step} {seconds} s',
  stepAhead: '{step}: to come',
  stepUntimed: '{step}: not timed',
  way: 'Indexing: {lines}',
  rest: 'And {n, plural, one {# document} other {# documents}} more, each in its own row.',
  noChange: 'No change for {time}.',
  usual: 'Usual is {time} in all.',
  usualUnknown: 'This console has measured no indexing yet.',
  notAvailable: 'Platforms refuse to change a document before it is available. It can be sent when it is.',
  neverAvailable:
    'Platforms refuse to change a document that is not available, and this one does not become so by itself.',
  isWaiting: 'It is sent as soon as the document is available. Keep this page open.',
  sendThen: 'Send when it is available',
  stopWaiting: 'Do not wait',
  sendAllTheSame: 'Send now all the same',
  documentError: 'The platform says: {error}',
}
