import { Button, Modal } from '@mantine/core'
import fields from '../../ui/fields/Fields.module.css'
import { ToldOnce } from '../../ui/ToldOnce.tsx'
import { useWords } from '../../ui/words.ts'
import { peopleWords } from './messages.ts'

/** A link that was made for somebody; it is told nowhere else. */
export interface MadeLink {
  name: string
  token: string
}

export function LinkDialog({ made, onClose }: { made: MadeLink; onClose: () => void }) {
  const t = useWords(peopleWords)
  const url = `${location.origin}/sign-in#${made.token}`
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('linkTitle', { name: made.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={fields.text}>
        <p>{t('linkText', { name: made.name })}</p>
        <ToldOnce label={t('link')} value={url}>
          <Button variant="default" onClick={onClose}>
            {t('done')}
          </Button>
        </ToldOnce>
      </div>
    </Modal>
  )
}
