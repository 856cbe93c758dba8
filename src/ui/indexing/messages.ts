/** Words of a document on its way through the indexing. */
export const indexing = {
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
  documentError: 'The platform says: {error}',
}
