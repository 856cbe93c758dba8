import { ActionIcon } from '@mantine/core'
import { IconBookmarkPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Key } from '#contract/console.ts'
import { part } from '../../ui/part.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { isOver, type Turn } from '../turn.ts'
import { annotateWords } from './messages.ts'
import { contract } from '#contract/index.ts'
import { May } from '../../wire/May.tsx'

const AnnotateBox = part(async () => (await import('./AnnotateBox.tsx')).AnnotateBox)

export interface AnnotateProps {
  turn: Turn
  app: Key | null
  workspace: string
}

/** Makes an annotation of an answer. An app of workflows has none. */
export function Annotate({ turn, app, workspace }: AnnotateProps) {
  const t = useWords(annotateWords)
  const [isOpen, setOpen] = useState(false)
  if (!app || (app.kind !== 'chat' && app.kind !== 'completion') || !isOver(turn)) return null
  return (
    <May entry={contract.annotations.create}>
      <Tooltip label={t('annotate')}>
        <ActionIcon aria-label={t('annotate')} onClick={() => setOpen(true)}>
          <IconBookmarkPlus size={15} />
        </ActionIcon>
      </Tooltip>
      {isOpen ? (
        <Suspense>
          <AnnotateBox turn={turn} app={app} workspace={workspace} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </May>
  )
}
