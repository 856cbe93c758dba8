import type { InputField } from '../../runs/inputs/inputFields.ts'

/** The fields of an annotation, as inputs of a table; their length is counted as `AnnotationWrite` counts it. */
export const ANNOTATION_IMPORT_FIELDS: InputField[] = ['question', 'answer'].map((variable) => ({
  kind: 'paragraph',
  variable,
  label: variable,
  description: '',
  required: true,
  hidden: false,
  max_length: 100_000,
  options: [],
  initial: '',
  files: null,
}))
