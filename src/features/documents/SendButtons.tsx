import { Button } from '@mantine/core'
import { useTranslations } from 'use-intl'
import fields from '../../ui/fields/Fields.module.css'
import { SendWhenAvailable, type SendWhenAvailableProps } from '../../ui/indexing/SendWhenAvailable.tsx'

export interface SendButtonsProps extends Omit<SendWhenAvailableProps, 'className' | 'isSubmit' | 'children'> {
  note: string
  onClose: () => void
  onDiscard?: () => void
}

/** The end of an update's form: sends, or says why it cannot be sent yet and waits. */
export function SendButtons({ note, onClose, onDiscard, ...deed }: SendButtonsProps) {
  const t = useTranslations('documents')
  return (
    <SendWhenAvailable {...deed} isSubmit className={fields.buttons}>
      <Button variant="default" onClick={onClose}>
        {t(onDiscard ? 'cancel' : 'closeDrawer')}
      </Button>
      {onDiscard ? (
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          {t('discard')}
        </Button>
      ) : null}
      <p className={fields.note}>{note}</p>
    </SendWhenAvailable>
  )
}
