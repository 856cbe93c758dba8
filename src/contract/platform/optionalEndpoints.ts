import { optionalAnnotationEndpoints } from './optionalAnnotations.ts'
import { optionalAppEndpoints } from './optionalApps.ts'
import { optionalDatasetEndpoints } from './optionalDatasets.ts'
import { optionalDocumentEndpoints } from './optionalDocuments.ts'
import { optionalMessageEndpoints } from './optionalMessages.ts'
import { optionalSegmentEndpoints } from './optionalSegments.ts'

/**
 * Operations that some platforms offer beyond the interface document. A screen draws them only where the platform has
 * been seen to answer them.
 */
export const optionalEndpoints = {
  ...optionalDatasetEndpoints,
  ...optionalDocumentEndpoints,
  ...optionalSegmentEndpoints,
  ...optionalMessageEndpoints,
  ...optionalAppEndpoints,
  ...optionalAnnotationEndpoints,
}
