import type { InputField } from '../../runs/inputs/inputFields.ts'
import { TEXT_FIELD } from '../tableImport/columnMapping.ts'

/** The fields of an annotation, as inputs of a table; their length is counted as `AnnotationWrite` counts it. */
export const ANNOTATION_IMPORT_FIELDS: InputField[] = ['question', 'answer'].map((variable) => ({
  ...TEXT_FIELD,
  variable,
  label: variable,
  required: true,
  max_length: 100_000,
}))
