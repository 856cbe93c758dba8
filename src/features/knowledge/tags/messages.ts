import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the tags of datasets. */
export const tagMessages = {
  tags: sharedTexts.tags,
  tagsOf: 'Tags of {name}',
  noTags: 'No tags',
  filterBy: 'Show datasets tagged “{tag}”',
  editTags: 'Edit tags of {name}',
  filter: 'Filter by tag',
  anyTag: 'Any tag',
  find: 'Find or create a tag',
  listWhat: 'list the tags',
  changeWhat: sharedTexts.changeTheTags,
  create: 'Create “{tag}”',
  usedBy: '{n, plural, =0 {not used} one {# dataset} other {# datasets}}',
  rename: sharedTexts.rename,
  renameTag: 'Rename “{tag}”',
  newName: 'New name of “{tag}”',
  deleteTag: 'Delete the tag “{tag}”',
  deleteQuestion: 'Delete the tag “{tag}”?',
  deleteLost:
    '{n, plural, =0 {No dataset has this tag.} one {It is removed from # dataset.} other {It is removed from # datasets.}}',
  deleteKept: 'The datasets and their documents stay.',
  deleteDo: '{n, plural, =0 {Delete tag} one {Delete and untag # dataset} other {Delete and untag # datasets}}',
  keep: 'Keep the tag',
  deleteWhat: 'delete the tag',
  noMatch: 'No tag has this name.',
  none: 'No tags yet. Type a name to create one.',
}
