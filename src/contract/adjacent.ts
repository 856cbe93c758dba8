import { annotations } from './adjacent/annotations.ts'
import { applications } from './adjacent/applications.ts'
import { datasets } from './adjacent/datasets.ts'
import { documents } from './adjacent/documents.ts'
import { messages } from './adjacent/messages.ts'
import { segments } from './adjacent/segments.ts'

/**
 * Operations that some platforms offer beyond the interface document. A screen draws them only where the platform has
 * been seen to answer them.
 */
export const adjacent = { ...datasets, ...documents, ...segments, ...messages, ...applications, ...annotations }
