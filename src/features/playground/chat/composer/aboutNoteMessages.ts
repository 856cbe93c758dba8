/** Texts of the note on what a conversation is about. */
export const aboutNoteMessages = {
  label: 'About this conversation',
  about: 'About:',
  in: 'in',
  remove: 'Remove what it is about',
  howFar:
    '{app} answers from the datasets that it has itself. Whether it knows {name} shows in the sources of its answer.',
  whatIsIn: 'What is in “{document}”?',
}
