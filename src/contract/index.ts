import { optionalEndpoints } from './platform/optionalEndpoints.ts'
import { annotationEndpoints } from './platform/annotations.ts'
import { appParameterEndpoints } from './platform/appParameters.ts'
import { chatEndpoints } from './platform/chat.ts'
import { completionEndpoints } from './platform/completion.ts'
import { consoleEndpoints } from './console/consoleEndpoints.ts'
import { datasetEndpoints } from './platform/datasets.ts'
import { documentEndpoints } from './platform/documents.ts'
import { segmentEndpoints } from './platform/segments.ts'
import { workflowEndpoints } from './platform/workflows.ts'

/** Every entry of the contract, by group. The first seven groups are the 18 operations of the interface. */
export const contract = {
  datasets: datasetEndpoints,
  documents: documentEndpoints,
  segments: segmentEndpoints,
  workflows: { ...workflowEndpoints, ...appParameterEndpoints },
  chat: chatEndpoints,
  completion: completionEndpoints,
  annotations: annotationEndpoints,
  adjacent: optionalEndpoints,
  console: consoleEndpoints,
}
