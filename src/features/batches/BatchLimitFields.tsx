import type { BatchLimits } from '#contract/console/batches.ts'
import fields from '../../components/forms/Fields.module.css'
import { NumberField, RequiredNumberField } from '../../components/forms/NumberField.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { batchMessages } from './messages.ts'

/** An empty field means no limit. */
export function BatchLimitFields({
  limits,
  onLimits,
}: {
  limits: BatchLimits
  onLimits: (bounds: BatchLimits) => void
}) {
  const t = useMessages(batchMessages)
  const toOptionalNumber = (name: 'per_minute' | 'max_rows' | 'max_tokens' | 'max_price', max: number) => ({
    number: limits[name],
    min: 1,
    max,
    placeholder: t('noLimit'),
    onNumber: (limit: number | null) => onLimits({ ...limits, [name]: limit }),
    ...INTEGER_INPUT_PROPS,
  })
  return (
    <div className={fields.row}>
      <RequiredNumberField
        label={t('atOnce')}
        description={t('atOnceWhy')}
        number={limits.at_once}
        min={1}
        max={50}
        onNumber={(at_once) => onLimits({ ...limits, at_once })}
        {...INTEGER_INPUT_PROPS}
      />
      <NumberField label={t('perMinute')} description={t('noLimit')} {...toOptionalNumber('per_minute', 6000)} />
      <NumberField label={t('maxRows')} description={t('noLimit')} {...toOptionalNumber('max_rows', 100_000)} />
      <NumberField
        label={t('maxTokens')}
        description={t('maxTokensWhy')}
        {...toOptionalNumber('max_tokens', 1_000_000_000)}
      />
      <NumberField
        label={t('maxPrice')}
        description={t('maxPriceWhy')}
        {...toOptionalNumber('max_price', 1_000_000_000)}
        min={0}
        allowDecimal
      />
    </div>
  )
}

const INTEGER_INPUT_PROPS = {
  allowDecimal: false,
  allowNegative: false,
  hideControls: true,
  clampBehavior: 'strict',
} as const
