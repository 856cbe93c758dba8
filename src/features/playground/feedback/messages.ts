import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the rating of an answer. */
export const feedbackMessages = {
  feedback: 'Rate this answer',
  like: sharedTexts.like,
  dislike: sharedTexts.dislike,
  takeBack: 'Remove rating',
  feedbackRefused: 'Rating not saved: {reason}',
}
