/** Words of the workflow runner. */
export const workflowsMessages = {
  title: 'Workflows',
  listWorkspaces: 'list the workspaces',
  noKey: 'No workflow app in this workspace',
  noKeyWhy:
    'A workflow app runs its nodes on inputs. {workspace} has no app key of kind workflow. An admin can add one.',
  noWorkspace: 'No workspace yet',
  noWorkspaceWhy: 'A workspace is a platform’s address with its keys. An admin adds one.',
  emptyText:
    'Fill in the inputs and run. You see each node as it starts and finishes. The server stores the run, even if you leave this page.',
}
