/** Words of the completion playground. */
export const completionMessages = {
  title: 'Completion',
  listWorkspaces: 'list the workspaces',
  noKey: 'No completion app in this workspace',
  noKeyWhy:
    'A completion app writes a text from inputs, with an app key of kind completion. {workspace} holds none. An admin adds the key to the workspace.',
  noWorkspace: 'No workspace yet',
  noWorkspaceWhy: 'A workspace is a platform’s address with its keys. An admin adds one.',
  emptyText:
    'Fill in the inputs and run. The text streams in and is kept by the server, also when you leave this page.',
}
