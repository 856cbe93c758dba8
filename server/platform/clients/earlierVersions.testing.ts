import { EARLIER_VERSIONS } from '../workflow/exampleWorkflows.ts'

const findEarlierVersion = (app: string): string => EARLIER_VERSIONS.find(({ id }) => id === app)?.workflow_id ?? ''

/** The ids of the earlier published versions of two applications. */
export const EARLIER_WORKFLOW = findEarlierVersion('workflow')
export const EARLIER_CHATFLOW = findEarlierVersion('chatflow')
