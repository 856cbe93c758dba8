import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Inspector.module.css'
import { inspectorMessages } from './messages.ts'

/** The inspector without a run: its tabs load with the first one. */
export function InspectorEmpty({ onClose }: { onClose: () => void }) {
  const t = useMessages(inspectorMessages)
  return (
    <>
      <div className={classes.head}>
        <h2>{t('inspector')}</h2>
        <ActionIcon aria-label={t('closeInspector')} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </div>
      <Text m="lg" fz="sm" c="var(--text-3)">
        {t('chooseAnswer')}
      </Text>
    </>
  )
}
