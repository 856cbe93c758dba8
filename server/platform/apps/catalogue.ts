import { PlatformError } from '../errors.ts'
import type { PlatformKey } from '../keys.ts'
import { EXAMPLES } from '../workflow/examples.ts'
import type { Workflow } from '../workflow/graph.ts'
import { chatApp, completionApp, type FileUpload } from './definition.ts'
import { TRANSFER_METHODS, type Form } from './form.ts'

/** An application as `/info` and `/parameters` show it. */
export interface App {
  id: string
  mode: 'chat' | 'completion' | 'workflow'
  name: string
  description: string
  tags: string[]
  author_name: string
  opening_statement: string
  suggested_questions: string[]
  user_input_form: Form
  file_upload: FileUpload
}

/** The input form of a workflow stands in its start. */
export const formOf = ({ graph }: Workflow): Form =>
  graph.nodes.flatMap((node) => (node.type === 'start' ? node.variables : []))

/** Workflows take files by the controls of their form; the older field beside the inputs is there for older clients. */
const OLDER_FILES: FileUpload = {
  enabled: false,
  number_limits: 3,
  allowed_file_types: [],
  allowed_file_extensions: [],
  allowed_file_upload_methods: [...TRANSFER_METHODS],
}

/** All applications that the platform ships. */
export const APPS: readonly App[] = [
  chatApp,
  completionApp,
  ...EXAMPLES.map((workflow) => ({
    ...workflow,
    opening_statement: '',
    suggested_questions: [],
    user_input_form: formOf(workflow),
    file_upload: OLDER_FILES,
  })),
]

/** @throws PlatformError 400 when a key opens an application that this version does not have */
export function findApp({ app }: PlatformKey): App {
  const found = APPS.find(({ id }) => id === app)
  if (!found) throw unavailable()
  return found
}

/** @throws PlatformError 400 when the key opens no workflow */
export function findWorkflow({ kind, app }: PlatformKey): Workflow {
  if (kind !== 'workflow') throw new PlatformError(400, 'not_workflow_app', 'The key is not of a workflow application.')
  const found = EXAMPLES.find(({ id }) => id === app)
  if (!found) throw unavailable()
  return found
}

const unavailable = () => new PlatformError(400, 'app_unavailable', 'The application of this key is not available.')
