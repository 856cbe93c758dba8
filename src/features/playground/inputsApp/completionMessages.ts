/** Words of the completion playground. */
export const completionMessages = {
  title: 'Completion',
  listWorkspaces: 'list the workspaces',
  noKey: 'No completion app in this workspace',
  noKeyWhy:
    'A completion app generates text from inputs. {workspace} has no app key of kind completion. An admin can add one.',
  noWorkspace: 'No workspace yet',
  noWorkspaceWhy: 'A workspace is a platform’s address with its keys. An admin adds one.',
  emptyText: 'Fill in the inputs and run. The server stores the streamed text, even if you leave this page.',
}
