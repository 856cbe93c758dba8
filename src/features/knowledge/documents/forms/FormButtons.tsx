import { Button } from '@mantine/core'
import fields from '../../../../components/forms/Fields.module.css'
import { SendWhenAvailable, type SendWhenAvailableProps } from '../../indexing/SendWhenAvailable.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'

export interface FormButtonsProps extends Omit<SendWhenAvailableProps, 'className' | 'isSubmit' | 'children'> {
  note: string
  onClose: () => void
  onDiscard?: () => void
}

/** The end of an update's form: sends, or says why it cannot be sent yet and waits. */
export function FormButtons({ note, onClose, onDiscard, ...submitProps }: FormButtonsProps) {
  const t = useMessages(documentMessages)
  return (
    <SendWhenAvailable {...submitProps} isSubmit className={fields.buttons}>
      <Button variant="default" onClick={onClose}>
        {t(onDiscard ? 'cancel' : 'close')}
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
