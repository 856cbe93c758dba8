import { Button } from '@mantine/core'
import type { KeptFile } from '#contract/console/files/linkedFile.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './QuestionFiles.module.css'

export interface KeepFileProps {
  name: string
  /** Null if the run does not keep the file. */
  kept: KeptFile | null
  /** Whether the person may keep and remove files. */
  canKeep: boolean
  isPending: boolean
  onKeep: () => void
  onRemove: (file_id: string) => void
}

/** Keeps a file of an answer with its run, or says who keeps it; nothing for those who may not. */
export function KeepFile({ name, kept, canKeep, isPending, onKeep, onRemove }: KeepFileProps) {
  const t = useMessages(runMessages)
  const button = { size: 'compact-xs', variant: 'subtle', disabled: isPending } as const
  if (!kept)
    return canKeep ? (
      <Button {...button} title={t('keepFileWhy')} aria-label={t('keepFile', { name })} onClick={onKeep}>
        {t('keep')}
      </Button>
    ) : null
  const keptBy = t('keptBy', { person: kept.person ?? t('notGiven'), at: formatDateTime(kept.kept_at) })
  return (
    <>
      <span className={classes.kept} title={keptBy}>
        {t('kept')}
      </span>
      {canKeep ? (
        <Button {...button} color="gray" aria-label={t('removeKeptFile', { name })} onClick={() => onRemove(kept.id)}>
          {t('remove')}
        </Button>
      ) : null}
    </>
  )
}
