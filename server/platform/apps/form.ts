import { z } from 'zod'

/** The file types of the interface's file input object, and the ways in which a file may be given. */
export const FILE_TYPES = ['image', 'document', 'audio', 'video', 'custom'] as const
export const TRANSFER_METHODS = ['remote_url', 'local_file'] as const
export type FileType = (typeof FILE_TYPES)[number]
export type TransferMethod = (typeof TRANSFER_METHODS)[number]

const common = {
  label: z.string().min(1),
  variable: z.string().regex(/^[a-z_][a-z0-9_]*$/i),
  required: z.boolean(),
  /** A string for every kind, as the interface says; empty where there is none. */
  default: z.string().default(''),
  description: z.string().default(''),
  hide: z.boolean().default(false),
}
const words = { max_length: z.int().min(1).default(48) }
const files = {
  allowed_file_types: z.array(z.enum(FILE_TYPES)).min(1),
  allowed_file_extensions: z.array(z.string()).default([]),
  allowed_file_upload_methods: z.array(z.enum(TRANSFER_METHODS)).min(1),
}

const CONTROLS = {
  'text-input': z.strictObject({ ...common, ...words }),
  paragraph: z.strictObject({ ...common, ...words }),
  select: z.strictObject({ ...common, options: z.array(z.string()).min(1) }),
  number: z.strictObject(common),
  checkbox: z.strictObject(common),
  file: z.strictObject({ ...common, ...files }),
  'file-list': z.strictObject({ ...common, ...files, max_length: z.int().min(1).max(10) }),
  json_object: z.strictObject(common),
}
type Kind = keyof typeof CONTROLS

/** One control of an input form with the kind that the interface names by the only key. */
export type Control = { [K in Kind]: { kind: K } & z.output<(typeof CONTROLS)[K]> }[Kind]

const oneOf = <K extends Kind>(kind: K) =>
  z.strictObject({ [kind]: CONTROLS[kind] } as { [Name in K]: (typeof CONTROLS)[Name] })

/** `user_input_form` as the interface has it: objects of one key, which names the kind. */
export const Form = z.array(
  z.union([
    oneOf('text-input'),
    oneOf('paragraph'),
    oneOf('select'),
    oneOf('number'),
    oneOf('checkbox'),
    oneOf('file'),
    oneOf('file-list'),
    oneOf('json_object'),
  ]),
)
export type Form = z.output<typeof Form>

export const controlsOf = (form: Form): Control[] =>
  form.flatMap((entry) => Object.entries(entry).map(([kind, control]) => ({ kind, ...control }) as Control))
