import { Button, CopyButton, Modal } from '@mantine/core'
import fields from '../../ui/fields/Fields.module.css'
import { useWords } from '../../ui/words.ts'
import { peopleWords } from './messages.ts'
import classes from './People.module.css'

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
        <div className={classes.link} role="textbox" aria-readonly="true" aria-label={t('link')} tabIndex={0}>
          {url}
        </div>
      </div>
      <div className={fields.buttons}>
        <CopyButton value={url} timeout={1500}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? t('copied') : t('copy')}</Button>}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          {t('done')}
        </Button>
      </div>
    </Modal>
  )
}
