import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Id } from '#contract/endpoint.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Document.module.css'
import { segmentMessages } from './messages.ts'

/** Opens a segment by its id. Reading it is what makes this console know it. */
export function OpenSegment({ onOpen }: { onOpen: (segment_id: string) => void }) {
  const t = useMessages(segmentMessages)
  const [isInvalidId, setInvalidId] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = Id.safeParse(String(new FormData(event.currentTarget).get('segment_id')).trim())
    setInvalidId(!id.success)
    if (!id.success) return
    event.currentTarget.reset()
    onOpen(id.data)
  }
  return (
    <form className={classes.open} onSubmit={submit} noValidate>
      <TextInput
        name="segment_id"
        label={t('segmentId')}
        error={isInvalidId ? t('badId') : undefined}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" variant="default">
        {t('open')}
      </Button>
    </form>
  )
}
