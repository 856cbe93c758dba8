import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Id } from '#contract/endpoint.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { toAppOptions } from '../appOptions.ts'
import classes from '../Board.module.css'
import { boardMessages } from '../messages.ts'

export interface AddCellProps {
  workspaces: readonly Workspace[]
  isFull: boolean
  onApp: (key: string) => void
  onRun: (run_id: string) => void
}

/** One cell more: an app of any workspace, or a finished run by its id. */
export function AddCell({ workspaces, isFull, onApp, onRun }: AddCellProps) {
  const t = useMessages(boardMessages)
  const [isInvalidId, setInvalidId] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    // An id may come with the address around it.
    const text = String(new FormData(form).get('run')).trim()
    const id = Id.safeParse(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text)?.[0])
    setInvalidId(!id.success)
    if (!id.success) return
    onRun(id.data.toLowerCase())
    form.reset()
  }
  if (isFull) return <p className={classes.note}>{t('fullBoard')}</p>
  return (
    <section className={classes.add} aria-label={t('addCell')}>
      <NativeSelect
        aria-label={t('addApp')}
        value=""
        data={[{ value: '', label: t('addApp') }, ...toAppOptions(workspaces)]}
        onChange={(event) => {
          if (event.currentTarget.value !== '') onApp(event.currentTarget.value)
        }}
      />
      <form className={classes.addRun} onSubmit={submit} noValidate>
        <TextInput
          name="run"
          aria-label={t('addRun')}
          placeholder={t('addRun')}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          error={isInvalidId ? t('noRunId') : undefined}
        />
        <Button type="submit" variant="default">
          {t('add')}
        </Button>
      </form>
    </section>
  )
}
