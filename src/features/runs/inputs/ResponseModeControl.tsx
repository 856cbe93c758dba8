import { SegmentedControl } from '@mantine/core'
import type { Key } from '#contract/console/workspaces.ts'
import { isStreamingOnly } from '#domain/platformKeys/responseMode.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './InputControl.module.css'
import { inputMessages } from './messages.ts'

export interface ResponseModeControlProps {
  value: 'streaming' | 'blocking'
  onChange: (value: 'streaming' | 'blocking') => void
  apps?: readonly Pick<Key, 'mode'>[]
}

/** Streaming or blocking response mode. Blocking is off where all apps stream only. */
export function ResponseModeControl({ value, onChange, apps = [] }: ResponseModeControlProps) {
  const t = useMessages(inputMessages)
  const isFixed = apps.length > 0 && apps.every(isStreamingOnly)
  return (
    <div className={classes.mode}>
      <SegmentedControl
        size="xs"
        aria-label={t('responseMode')}
        value={isFixed ? 'streaming' : value}
        onChange={onChange}
        data={[
          { value: 'streaming', label: t('streaming') },
          { value: 'blocking', label: t('blockingMode'), disabled: isFixed },
        ]}
      />
      {apps.some(isStreamingOnly) ? <small>{t('agentsStream')}</small> : null}
    </div>
  )
}
