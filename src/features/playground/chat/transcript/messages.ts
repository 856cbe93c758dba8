import { sharedTexts } from '../../../../components/i18n/sharedTexts.ts'

/** Texts of the transcript, and of the note on what a new conversation is about: they load after the screen. */
export const transcriptMessages = {
  transcript: 'Transcript',
  newest: 'Jump to latest',
  readMessages: 'load the messages of this conversation',
  readOlder: 'Load older messages',
  recordedFromHere: 'This console has recorded every turn from here on.',
  turnsCut: 'Only the newest {count} turns are shown. Older ones are in Runs.',
  fromPlatform: 'Loaded from the platform, without frames.',
  noConversationBegun: 'This question started no conversation, so it is not in the list. It stays in Runs.',
  copyQuestion: 'Copy question',
  edit: sharedTexts.editQuestion,
  editLabel: 'Edited question',
  editWhy:
    'The edited question is sent as an alternative with the same inputs and files. The platform’s conversation keeps both.',
  editSend: sharedTexts.askAgain,
  regenerate: sharedTexts.regenerate,
  branches: 'Versions of this turn',
  branch: '{number}/{count}',
  branchBefore: 'Previous version',
  branchAfter: 'Next version',
  branchesWhy: 'The platform has no branches: its conversation contains all {count} versions in sequence.',
  suggested: 'Suggested questions',
  aboutLabel: 'About this conversation',
  about: 'About:',
  in: 'in',
  removeAbout: 'Remove the topic',
  howFar: '{app} answers from its own datasets. The sources of its answer show whether it used {name}.',
  whatIsIn: 'What is in “{document}”?',
}
