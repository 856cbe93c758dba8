import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { FILE_TYPES, InputForm, TRANSFER_METHODS } from './inputForm.ts'

/** The files that a message may have; returned as `file_upload` of `/parameters`. */
const FileUpload = z.strictObject({
  enabled: z.boolean(),
  number_limits: z.int().min(1).max(10).default(3),
  allowed_file_types: z.array(z.enum(FILE_TYPES)).default([]),
  allowed_file_extensions: z.array(z.string()).default([]),
  allowed_file_upload_methods: z.array(z.enum(TRANSFER_METHODS)).default([...TRANSFER_METHODS]),
})
export type FileUpload = z.output<typeof FileUpload>

const commonFields = {
  /** The id by which a key names its application. */
  id: z.string().regex(/^[a-z][a-z-]*$/),
  name: z.string().min(1),
  description: z.string(),
  tags: z.array(z.string()),
  author_name: z.string(),
  opening_statement: z.string(),
  suggested_questions: z.array(z.string()),
}

/** An application that answers over all knowledge bases. */
const ChatSchema = z.strictObject({
  ...commonFields,
  mode: z.literal('chat'),
  user_input_form: InputForm,
  file_upload: FileUpload,
  /** The model's prompt; `{{passages}}` are the segments found, the other names are form variables. */
  prompt: z.string().min(1),
  /** Number of segments retrieved for an answer. */
  top_k: z.int().min(1).max(20),
  /** Maximum sentences of an extracted answer, by the value of the form's `detail`. */
  sentences: z.record(z.string(), z.int().min(1).max(20)),
})

/** An application that generates one text from its inputs. */
const CompletionSchema = z.strictObject({
  ...commonFields,
  mode: z.literal('completion'),
  user_input_form: InputForm,
  file_upload: FileUpload,
  prompt: z.string().min(1),
  /** Without a model: the input to summarise, and the number of sentences by the value of the form's `length`. */
  summary: z.strictObject({ of: z.string(), sentences: z.record(z.string(), z.int().min(1).max(50)) }),
})

export type ChatApp = z.output<typeof ChatSchema>
export type CompletionApp = z.output<typeof CompletionSchema>

export const chatApp: ChatApp = readDefinition('chat.json', ChatSchema)
export const completionApp: CompletionApp = readDefinition('completion.json', CompletionSchema)

function readDefinition<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  const text = readFileSync(new URL(`./definitions/${name}`, import.meta.url), 'utf8')
  const result = schema.safeParse(JSON.parse(text))
  if (result.success) return result.data
  throw new Error(`Invalid definition ${name}:\n${z.prettifyError(result.error)}`)
}
