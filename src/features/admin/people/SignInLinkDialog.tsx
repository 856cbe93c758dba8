import { Button } from '@mantine/core'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { OneTimeSecret } from '../../../components/overlays/OneTimeSecret.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { peopleMessages } from './messages.ts'

/** A new sign-in link; it is shown only once. */
export interface SignInLink {
  name: string
  token: string
}

export function SignInLinkDialog({ signInLink, onClose }: { signInLink: SignInLink; onClose: () => void }) {
  const t = useMessages(peopleMessages)
  const url = `${location.origin}/sign-in#${signInLink.token}`
  return (
    <Dialog onClose={onClose} title={t('linkTitle', { name: signInLink.name })}>
      <div className={fields.text}>
        <p>{t('linkText', { name: signInLink.name })}</p>
        <OneTimeSecret label={t('link')} value={url}>
          <Button variant="default" onClick={onClose}>
            {t('done')}
          </Button>
        </OneTimeSecret>
      </div>
    </Dialog>
  )
}
