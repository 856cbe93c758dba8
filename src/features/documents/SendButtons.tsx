import { Button } from '@mantine/core'
import fields from '../../ui/fields/Fields.module.css'
import { SendWhenAvailable, type SendWhenAvailableProps } from '../../ui/indexing/SendWhenAvailable.tsx'
import { useWords } from '../../ui/words.ts'
import { documentsWords } from './messages.ts'

export interface SendButtonsProps extends Omit<SendWhenAvailableProps, 'className' | 'isSubmit' | 'children'> {
  note: string
  onClose: () => void
  onDiscard?: () => void
}

/** The end of an update's form: sends, or says why it cannot be sent yet and waits. */
export function SendButtons({ note, onClose, onDiscard, ...deed }: SendButtonsProps) {
  const t = useWords(documentsWords)
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
