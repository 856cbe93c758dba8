import { z } from 'zod'

/** The file types and transfer methods of the interface's file input object. */
export const FILE_TYPES = ['image', 'document', 'audio', 'video', 'custom'] as const
export const TRANSFER_METHODS = ['remote_url', 'local_file'] as const
export type FileType = (typeof FILE_TYPES)[number]
export type TransferMethod = (typeof TRANSFER_METHODS)[number]

const commonFields = {
  label: z.string().min(1),
  variable: z.string().regex(/^[a-z_][a-z0-9_]*$/i),
  required: z.boolean(),
  /** A string for every kind, as in the interface; empty if there is none. */
  default: z.string().default(''),
  description: z.string().default(''),
  hide: z.boolean().default(false),
}
const textFields = { max_length: z.int().min(1).default(48) }
const fileFields = {
  allowed_file_types: z.array(z.enum(FILE_TYPES)).min(1),
  allowed_file_extensions: z.array(z.string()).default([]),
  allowed_file_upload_methods: z.array(z.enum(TRANSFER_METHODS)).min(1),
}

const CONTROL_SCHEMAS = {
  'text-input': z.strictObject({ ...commonFields, ...textFields }),
  paragraph: z.strictObject({ ...commonFields, ...textFields }),
  select: z.strictObject({ ...commonFields, options: z.array(z.string()).min(1) }),
  number: z.strictObject(commonFields),
  checkbox: z.strictObject(commonFields),
  file: z.strictObject({ ...commonFields, ...fileFields }),
  'file-list': z.strictObject({ ...commonFields, ...fileFields, max_length: z.int().min(1).max(10) }),
  json_object: z.strictObject(commonFields),
}
type ControlKind = keyof typeof CONTROL_SCHEMAS

/** A control of an input form with its kind, which is the object's only key in the interface. */
export type InputControl = { [K in ControlKind]: { kind: K } & z.output<(typeof CONTROL_SCHEMAS)[K]> }[ControlKind]

const toControlSchema = <K extends ControlKind>(kind: K) =>
  z.strictObject({ [kind]: CONTROL_SCHEMAS[kind] } as { [Name in K]: (typeof CONTROL_SCHEMAS)[Name] })

/** `user_input_form` in the interface's format: objects with one key, the kind. */
export const InputForm = z.array(
  z.union([
    toControlSchema('text-input'),
    toControlSchema('paragraph'),
    toControlSchema('select'),
    toControlSchema('number'),
    toControlSchema('checkbox'),
    toControlSchema('file'),
    toControlSchema('file-list'),
    toControlSchema('json_object'),
  ]),
)
export type InputForm = z.output<typeof InputForm>

export const toControls = (form: InputForm): InputControl[] =>
  form.flatMap((entry) => Object.entries(entry).map(([kind, control]) => ({ kind, ...control }) as InputControl))
