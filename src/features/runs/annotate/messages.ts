import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the annotation form, for any answer and on its own screen. */
export const annotateMessages = {
  annotate: sharedTexts.annotate,
  annotateTitle: 'Annotate this answer',
  why: 'Once annotation reply is enabled, the app gives this answer to similar questions.',
  fromRun: 'From <run>run {id}</run>. The annotation keeps the link.',
  earlier:
    '{n, plural, one {This answer has already been annotated.} other {This answer has already been annotated # times.}} Last by <who></who>.',
  by: '{person}, <since></since>',
  nobody: 'person not given',
  changes: 'Changes to the original answer',
  question: sharedTexts.question,
  answer: sharedTexts.answer,
  save: 'Save annotation',
  saveAnyway: 'Save anyway',
  saveWhat: 'save the annotation',
  draftNotKept: 'The draft is too long to be saved in this tab.',
  saved: 'Annotation saved.',
  open: 'Open annotations',
  similar: 'Similar annotations',
  similarNone:
    '{seen, plural, =0 {This console has seen no annotation of this app.} one {The one annotation seen by this console is not similar.} other {None of the # annotations seen by this console is similar.}}',
  similarWhat: 'compare the question',
  similarWhy:
    'Compared by letters and numbers, not by meaning, with {seen, plural, one {# annotation} other {# annotations}} seen by this console.',
  contradiction: 'same question, different answer',
  duplicate: 'same question and answer',
  duplicateUnanswered: 'same question',
  near: sharedTexts.similarWording,
  nearOtherNumbers: 'similar wording, other numbers',
  citationMarks: 'The answer has citation marks ({marks}). Their sources are not stored with an annotation.',
  removeMarks: 'Remove the marks',
  score: 'similarity {score}',
}
