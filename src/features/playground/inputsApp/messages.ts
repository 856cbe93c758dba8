import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the playground of an app with inputs: a completion or a workflow. */
export const inputsPlaygroundMessages = {
  pane: 'Inputs or history',
  output: 'Output',
  runHint: 'Sends the inputs',
  madeFrom: 'Made from run <run></run>. Changes are highlighted.',
  forget: 'Detach from that run',
  emptyTitle: 'No output yet.',
  emptyReader: 'Choose a run to see its output.',
  openInspector: sharedTexts.openInspector,
  batch: 'Batch',
  editInputs: 'Edit these inputs',
  sets: 'Saved inputs',
  noSet: 'no saved inputs',
  saveSet: 'Save inputs',
  saveChanges: 'Save changes',
  setName: 'Name of the saved inputs',
  copyLink: 'Copy the link to these inputs',
  deleteSet: 'Delete saved inputs',
  deleteWhat: 'Delete “{name}” for everybody? The values in the form stay.',
  savedInputsGone: 'The saved inputs of this link no longer exist.',
  setsWhat: 'list the saved inputs',
  setWhat: 'change the saved inputs',
}
