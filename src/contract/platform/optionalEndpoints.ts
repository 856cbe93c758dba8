import { optionalAnnotationEndpoints } from './optionalAnnotations.ts'
import { optionalAppInfoEndpoints } from './optionalAppInfo.ts'
import { optionalAppEndpoints } from './optionalApps.ts'
import { optionalConversationVariableEndpoints } from './optionalConversationVariables.ts'
import { optionalDatasetEndpoints } from './optionalDatasets.ts'
import { optionalDocumentEndpoints } from './optionalDocuments.ts'
import { optionalMessageEndpoints } from './optionalMessages.ts'
import { optionalRunEndpoints } from './optionalRuns.ts'
import { optionalMetadataEndpoints } from './optionalMetadata.ts'
import { optionalPipelineEndpoints } from './optionalPipelines.ts'
import { optionalSegmentEndpoints } from './optionalSegments.ts'
import { optionalTagEndpoints } from './optionalTags.ts'

/**
 * Operations that some platforms offer beyond the interface document. A screen shows them only if the platform has
 * answered them before.
 */
export const optionalEndpoints = {
  ...optionalDatasetEndpoints,
  ...optionalTagEndpoints,
  ...optionalMetadataEndpoints,
  ...optionalDocumentEndpoints,
  ...optionalSegmentEndpoints,
  ...optionalPipelineEndpoints,
  ...optionalMessageEndpoints,
  ...optionalConversationVariableEndpoints,
  ...optionalAppInfoEndpoints,
  ...optionalAppEndpoints,
  ...optionalRunEndpoints,
  ...optionalAnnotationEndpoints,
}
