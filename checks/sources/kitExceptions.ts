/** See `KIT_RULES`. */
export type KitRule = 'form' | 'read' | 'list' | 'confirm' | 'lazy' | 'overlay'

/** Files that break a rule of the kits, each with the reason. A file that is moved to the kit leaves its list. */
export const KIT_EXCEPTIONS: Record<KitRule, Record<string, string>> = {
  form: {
    'src/features/annotations/reply/AnnotationProbe.tsx': 'the annotation is in the URL, and the question follows it',
    'src/features/annotations/reply/AnnotationReplySettingsForm.tsx':
      'two buttons send: one enables with the fields, the other disables with the settings that were sent last',
    'src/features/boards/request/RequestPane.tsx':
      'the inputs of an app: their fields are the platform’s, and the draft lives longer than the form',
    'src/features/knowledge/documents/forms/AddDocuments.tsx':
      'asks whether a document is replaced, and uploads several files',
    'src/features/knowledge/documents/forms/UpdateDocument.tsx':
      'may wait until the document is available, and sends then',
    'src/features/knowledge/retrieval/RetrievalTest.tsx':
      'two settings are searched by one question, which is in the URL',
    'src/features/playground/chat/composer/Composer.tsx':
      'the chat composer has one text, files and shortcuts of its own',
    'src/features/playground/chat/transcript/QuestionView.tsx':
      'a question that is edited in the transcript, as in the composer',
    'src/features/playground/inputsApp/InputsPane.tsx':
      'the inputs of an app: their fields are the platform’s, and the draft lives longer than the form',
  },
  read: {
    'src/app/shell/AppShell.tsx': 'without a session there is no page',
    'src/features/annotations/reply/AnnotationProbe.tsx':
      'an annotation that the URL names is asked even if the list is refused',
    'src/features/annotations/reply/AnnotationReplyView.tsx':
      'the settings are shown without the parameters, and the job without its progress',
    'src/features/batches/BatchRows.tsx': 'the batch has the number of rows, so that they scroll before a page is read',
    'src/features/batches/NewBatchPage.tsx':
      'the columns are shown before the parameters are read, and a refusal has a title of its own',
    'src/features/home/AlertList.tsx': 'the other alerts are shown without it',
    'src/features/home/HomePage.tsx': 'each part is shown without the others',
    'src/features/knowledge/metadata/DocumentMetadataDialog.tsx': 'the values are read again before they are saved',
    'src/features/ledger/PurgeForm.tsx': 'the count that is read is a line of its form',
    'src/features/runs/callList/CallListView.tsx':
      'the totals are read with the list, and a refused workspace is shown in its place',
  },
  list: {
    'src/features/drift/DriftPage.tsx': 'its toolbar chooses between two lists, of which one may be empty',
    'src/features/knowledge/documents/list/DocumentTable.tsx':
      'a page of the platform is filtered here where the platform does not filter by status',
    'src/features/knowledge/segments/ChildChunks.tsx':
      'a part of an open segment: its page and search are not in the URL',
  },
  confirm: {},
  lazy: {},
  overlay: {
    'src/app/shortcuts/CommandPalette.tsx': 'the palette has a search field in place of a title',
    'src/features/knowledge/documents/forms/AddDocuments.tsx': 'uploads go on while it is closed',
  },
}
