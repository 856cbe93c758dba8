/** Words of an annotation in the making, from any answer and on its own screen. */
export const annotateMessages = {
  annotate: 'Annotate',
  annotateTitle: 'Annotate this answer',
  why: 'The app gives this answer when somebody asks a question like this one, once annotation reply is on.',
  fromRun: 'From <run>run {id}</run>. The link stays with the annotation.',
  earlier:
    '{n, plural, one {This answer has been annotated.} other {This answer has been annotated # times.}} The last time: <who></who>.',
  by: '{person}, <since></since>',
  nobody: 'person not given',
  changes: 'Changed from the answer that came',
  question: 'question',
  answer: 'answer',
  save: 'Save the annotation',
  saveAnyway: 'Save it all the same',
  saveWhat: 'save the annotation',
  cancel: 'Cancel',
  close: 'Close',
  draftNotKept: 'What is typed is too long to be kept in this tab.',
  saved: 'The annotation is saved.',
  open: 'Open the annotations',
  alike: 'Annotations that ask alike',
  alikeNone:
    '{seen, plural, =0 {This console has seen no annotation of this app.} one {The one annotation that this console has seen does not ask alike.} other {Of # annotations that this console has seen, none asks alike.}}',
  alikeWhat: 'compare the question',
  alikeWhy:
    'Compared by letters, not by meaning, with {seen, plural, one {# annotation} other {# annotations}} that this console has seen.',
  contradiction: 'asks the same, answers otherwise',
  duplicate: 'asks and answers the same',
  duplicateUnanswered: 'asks the same',
  near: 'asks something close',
  score: '{score} alike',
}
