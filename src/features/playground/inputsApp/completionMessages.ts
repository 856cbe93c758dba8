/** Texts of the completion playground. */
export const completionMessages = {
  noKey: 'No completion app in this workspace',
  noKeyWhy:
    'A completion app generates text from inputs. {workspace} has no app key of kind completion. An admin can add one.',
  emptyText: 'Fill in the inputs and run. The server stores the streamed text, even if you leave this page.',
}
