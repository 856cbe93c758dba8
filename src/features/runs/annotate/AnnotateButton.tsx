import { ActionIcon } from '@mantine/core'
import { IconBookmarkPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { annotateMessages } from './messages.ts'
import { Can } from '../../../client/Can.tsx'

const LazyAnnotateDrawer = lazyWithPreload(async () => (await import('./AnnotateDrawer.tsx')).AnnotateDrawer)

export interface AnnotateButtonProps {
  turn: Turn
  app: Key | null
  workspace: string
}

/** Creates an annotation from an answer. Workflow apps have none. */
export function AnnotateButton({ turn, app, workspace }: AnnotateButtonProps) {
  const t = useMessages(annotateMessages)
  const [isOpen, setOpen] = useState(false)
  if (!app || (app.kind !== 'chat' && app.kind !== 'completion') || !isTurnOver(turn)) return null
  return (
    <Can entry={annotationEndpoints.create}>
      <Tooltip label={t('annotate')}>
        <ActionIcon aria-label={t('annotate')} onClick={() => setOpen(true)}>
          <IconBookmarkPlus size={15} />
        </ActionIcon>
      </Tooltip>
      {isOpen ? (
        <Suspense>
          <LazyAnnotateDrawer turn={turn} app={app} workspace={workspace} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </Can>
  )
}
