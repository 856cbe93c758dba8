import { Button } from '@mantine/core'
import type { Endpoint } from '#contract/endpoint.ts'
import { Can } from '../../client/Can.tsx'
import fields from '../../components/forms/Fields.module.css'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { suiteMessages } from './messages.ts'

interface SaveButtonsProps {
  /** What saving calls: who may not call it has no such button. */
  entry: Endpoint
  /** `Save` without it. */
  label?: string
  isPending: boolean
  isDisabled?: boolean
  onClose: () => void
}

/** The end of a form: saves, or closes it. */
export function SaveButtons({ entry, label, isPending, isDisabled = false, onClose }: SaveButtonsProps) {
  const t = useMessages(suiteMessages)
  return (
    <div className={fields.buttons}>
      <Can entry={entry}>
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {label ?? t('save')}
        </Button>
      </Can>
      <Button variant="default" onClick={onClose}>
        {t('cancel')}
      </Button>
    </div>
  )
}
