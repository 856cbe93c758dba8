import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import type { Problem } from '#contract/problem.ts'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'
import classes from './TranscriptNote.module.css'

export type TranscriptNoteProps =
  | { kind: 'seen' }
  | { kind: 'cut'; count: number }
  | { kind: 'older'; busy: boolean; onRead: () => void }
  | { kind: 'refused'; problem: Problem; onRetry: () => void }

/** A note between turns: their source, and whether there are more. */
export function TranscriptNote(props: TranscriptNoteProps) {
  const t = useMessages(chatMessages)
  if (props.kind === 'refused')
    return <ProblemAlert problem={props.problem} action={t('readMessages')} onRetry={props.onRetry} />
  return (
    <div className={classes.note}>
      {props.kind === 'seen' ? t('recordedFromHere') : null}
      {props.kind === 'cut' ? t('turnsCut', { count: props.count }) : null}
      {props.kind === 'older' ? (
        <Button variant="default" leftSection={<IconArrowUp size={14} />} loading={props.busy} onClick={props.onRead}>
          {t('readOlder')}
        </Button>
      ) : null}
    </div>
  )
}
