import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the workflow runner. */
export const workflowsMessages = {
  title: sharedTexts.workflows,
  noKey: 'No workflow app in this workspace',
  noKeyWhy:
    'A workflow app runs its nodes on inputs. {workspace} has no app key of kind workflow. An admin can add one.',
  emptyText:
    'Fill in the inputs and run. You see each node as it starts and finishes. The server stores the run, even if you leave this page.',
}
