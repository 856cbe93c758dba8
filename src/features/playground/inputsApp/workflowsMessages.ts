/** Words of the workflow runner. */
export const workflowsMessages = {
  title: 'Workflows',
  listWorkspaces: 'list the workspaces',
  noKey: 'No workflow app in this workspace',
  noKeyWhy:
    'A workflow app runs its nodes on inputs, with an app key of kind workflow. {workspace} holds none. An admin adds the key to the workspace.',
  noWorkspace: 'No workspace yet',
  noWorkspaceWhy: 'A workspace is a platform’s address with its keys. An admin adds one.',
  emptyText:
    'Fill in the inputs and run. Each node is shown as it starts and finishes, and the server keeps the run, also when you leave this page.',
}
