import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { segmentMessages } from './messages.ts'

// The form is loaded when it is first opened.
const LazyAddSegments = lazyWithPreload(async () => (await import('./AddSegments.tsx')).AddSegments)

export interface AddSegmentsOptions {
  dataset_id: string
  document_id: string
  knowledge: Key | undefined
  record: DocumentRecord | null
  onAdded: (segment_id: string | null) => void
}

/**
 * The button and the form of new segments; nothing where the platform or the person cannot add any. The form stands beside
 * the list, which is not drawn while a narrow window shows a segment.
 */
export function useAddSegments({ dataset_id, document_id, knowledge, record, onAdded }: AddSegmentsOptions): {
  button: ReactNode
  dialog: ReactNode
} {
  const t = useMessages(segmentMessages)
  const can = usePermission()
  const [isAdding, setAdding] = useState(false)
  if (!knowledge?.offers.includes('createSegments') || !can(optionalSegmentEndpoints.createSegments))
    return { button: null, dialog: null }
  return {
    button: (
      <Button
        variant="default"
        leftSection={<IconPlus size={14} />}
        aria-haspopup="dialog"
        onClick={() => setAdding(true)}
      >
        {t('addSegment')}
      </Button>
    ),
    dialog: (
      <Suspense>
        {isAdding ? (
          <LazyAddSegments
            dataset_id={dataset_id}
            document_id={document_id}
            keyId={knowledge.id}
            isQuestionAnswer={record?.doc_form === 'qa_model'}
            onClose={() => setAdding(false)}
            onAdded={(id) => {
              setAdding(false)
              onAdded(id ?? null)
            }}
          />
        ) : null}
      </Suspense>
    ),
  }
}
