import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import type { Problem } from '#contract/problem.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { chatWords } from './messages.ts'
import classes from './TranscriptNote.module.css'

export type TranscriptNoteProps =
  | { kind: 'seen' }
  | { kind: 'cut'; count: number }
  | { kind: 'older'; busy: boolean; onRead: () => void }
  | { kind: 'refused'; problem: Problem; onRetry: () => void }

/** A line between turns: where they come from, and whether there are more. */
export function TranscriptNote(props: TranscriptNoteProps) {
  const t = useWords(chatWords)
  if (props.kind === 'refused')
    return <ProblemNote problem={props.problem} what={t('readMessages')} onRetry={props.onRetry} />
  return (
    <div className={classes.note}>
      {props.kind === 'seen' ? t('seenFromHere') : null}
      {props.kind === 'cut' ? t('turnsCut', { count: props.count }) : null}
      {props.kind === 'older' ? (
        <Button variant="default" leftSection={<IconArrowUp size={14} />} loading={props.busy} onClick={props.onRead}>
          {t('readOlder')}
        </Button>
      ) : null}
    </div>
  )
}
