import { sharedTexts } from './sharedTexts.ts'

/** Texts of the shared components. */
export const componentMessages = {
  copyId: 'Copy id {id}',
  idCopied: 'Id {id} copied.',
  idNotCopied: 'Copying is blocked by the browser. The id is {id}',
  fullResponse: sharedTexts.fullResponse,
  refused: 'The platform refused',
  actionRefused: 'The platform refused to {what}.',
  actionFailedThere: 'The platform failed to {what}.',
  actionFailed: 'Could not {what}.',
  retryAfter: 'The platform asks you to wait {seconds, number} s.',
  roleNote:
    '{permission, select, run {You have read-only access. Running apps requires the role {role}.} export {You have read-only access. Exporting requires the role {role}.} edit {You have read-only access. Making changes requires the role {role}.} other {This needs the role {role}.}}',
  lostHeading: 'What is lost',
  keptHeading: 'What is kept',
  typeName: 'Type “{name}” to confirm',
  notGranted: 'Your grants for {workspace} do not include this',
  grantList: 'Granted to you: {grants}. An admin can grant more.',
  stillSignedIn: 'You are still signed in.',
  openKeys: sharedTexts.openWorkspacesAndKeys,
  requestId: 'Platform request id:',
  faultId: 'Error id in the server log: {id}',
  loading: 'Loading',
  refresh: 'Refresh',
}
