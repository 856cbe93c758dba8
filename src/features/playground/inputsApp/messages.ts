import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the playground of an app with inputs: a completion or a workflow. */
export const inputsPlaygroundMessages = {
  completionApp: {
    noKey: 'No completion app in this workspace',
    noKeyWhy:
      'A completion app generates text from inputs. {workspace} has no app key of kind completion. An admin can add one.',
    emptyText: 'Fill in the inputs and run. The server stores the streamed text, even if you leave this page.',
  },
  workflowApp: {
    noKey: 'No workflow app in this workspace',
    noKeyWhy:
      'A workflow app runs its nodes on inputs. {workspace} has no app key of kind workflow. An admin can add one.',
    emptyText:
      'Fill in the inputs and run. You see each node as it starts and finishes. The server stores the run, even if you leave this page.',
  },
  workflows: sharedTexts.workflows,
  pane: 'Inputs or history',
  output: 'Output',
  formOf: 'Inputs in the form',
  formOfRun: 'Inputs of this run',
  formOfDraft: 'Your draft',
  showInputs: 'Show inputs',
  hideInputs: 'Hide inputs',
  runHint: 'Sends the inputs',
  madeFrom: 'Made from run <run></run>. Changes are highlighted.',
  forget: 'Detach from that run',
  emptyTitle: 'The output appears here.',
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
  deleteLost: 'The saved inputs, for everybody.',
  deleteKept: 'The values in the form.',
  savedInputsGone: 'The saved inputs of this link no longer exist.',
  setsWhat: 'list the saved inputs',
  setWhat: 'change the saved inputs',
}
