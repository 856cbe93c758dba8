import { z } from 'zod'
import { PlatformError } from '../platformErrors.ts'
import type { PlatformKey } from '../platformKeys.ts'
import { EARLIER_VERSIONS, EXAMPLE_CHATFLOWS, EXAMPLE_WORKFLOWS } from '../workflow/exampleWorkflows.ts'
import type { Workflow } from '../workflow/workflowGraph.ts'
import { chatApp, completionApp, type FileUpload } from './appDefinitions.ts'
import { toDerivedId } from './endUserId.ts'
import { TRANSFER_METHODS, type InputForm } from './inputForm.ts'

/** An application as `/info` and `/parameters` return it. */
export interface App {
  id: string
  mode: 'chat' | 'completion' | 'workflow' | 'advanced-chat'
  name: string
  description: string
  tags: string[]
  author_name: string
  opening_statement: string
  suggested_questions: string[]
  user_input_form: InputForm
  file_upload: FileUpload
}

/** The input form of a workflow or a chatflow is defined by its start node. */
export const getInputForm = ({ graph }: Workflow): InputForm =>
  graph.nodes.flatMap((node) => (node.type === 'start' ? node.variables : []))

/** Workflows and chatflows take files by the controls of their form; `files` next to the inputs is for older clients. */
const LEGACY_FILE_UPLOAD: FileUpload = {
  enabled: false,
  number_limits: 3,
  allowed_file_types: [],
  allowed_file_extensions: [],
  allowed_file_upload_methods: [...TRANSFER_METHODS],
}

export const APPS: readonly App[] = [
  chatApp,
  completionApp,
  ...[...EXAMPLE_WORKFLOWS, ...EXAMPLE_CHATFLOWS].map((workflow) => ({
    ...workflow,
    user_input_form: getInputForm(workflow),
    file_upload: LEGACY_FILE_UPLOAD,
  })),
]

/** @throws PlatformError 400 if this version does not have the key's application */
export function findApp({ app }: PlatformKey): App {
  const found = APPS.find(({ id }) => id === app)
  if (!found) throw toUnavailableError()
  return found
}

/** @throws PlatformError 400 if the key's application is not a workflow */
export function findWorkflow({ kind, app }: PlatformKey): Workflow {
  if (kind !== 'workflow') throw toNoWorkflowError()
  const found = EXAMPLE_WORKFLOWS.find(({ id }) => id === app)
  if (!found) throw toUnavailableError()
  return found
}

/** @throws PlatformError 400 if the key's application has no graph */
export function findGraphApp({ kind, app }: PlatformKey): Workflow {
  const found = [...EXAMPLE_WORKFLOWS, ...EXAMPLE_CHATFLOWS].find(({ id }) => id === app)
  if (found) return found
  if (kind === 'workflow') throw toUnavailableError()
  throw toNoWorkflowError()
}

/** The chatflow of a chat key; null if its application is a plain chat. */
export const findChatflow = ({ app }: PlatformKey): Workflow | null =>
  EXAMPLE_CHATFLOWS.find(({ id }) => id === app) ?? null

const VERSIONS: readonly Workflow[] = [...EXAMPLE_WORKFLOWS, ...EXAMPLE_CHATFLOWS, ...EARLIER_VERSIONS]

/** A published version of an application; null if this platform does not have it, or no longer. */
export const findVersion = (app: string, workflow_id: string): Workflow | null =>
  VERSIONS.find((workflow) => workflow.id === app && workflow.workflow_id === workflow_id.toLowerCase()) ?? null

/** The id of an application's draft. There is no editor here, so a draft is no more than its id. */
export const getDraftId = (app: string): string => toDerivedId(`draft\0${app}`)

const WorkflowIdSchema = z.guid()

/**
 * The version that a request names.
 * @throws PlatformError 400 for a draft and for what is no id, 404 if the application has no such version
 */
export function requireVersion({ id: app }: Workflow, workflow_id: string): Workflow {
  if (!WorkflowIdSchema.safeParse(workflow_id).success)
    throw new PlatformError(400, 'bad_request', `Invalid workflow_id format: '${workflow_id}'. `)
  if (workflow_id.toLowerCase() === getDraftId(app))
    throw new PlatformError(
      400,
      'bad_request',
      `Cannot use draft workflow version. Workflow ID: ${workflow_id}. Please use a published workflow version or leave workflow_id empty.`,
    )
  const found = findVersion(app, workflow_id)
  if (!found) throw new PlatformError(404, 'not_found', `Workflow not found with id: ${workflow_id}`)
  return found
}

const toNoWorkflowError = () =>
  new PlatformError(400, 'not_workflow_app', 'The key does not belong to a workflow application.')

const toUnavailableError = () =>
  new PlatformError(400, 'app_unavailable', 'The application of this key is not available.')
