import { ActionIcon, Button, Group, NativeSelect, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { MetadataOperator } from '#contract/platform/schemas.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { metadataMessages } from './messages.ts'
import { MetadataValueInput } from './MetadataValueInput.tsx'
import { type ConditionDraft, type ConditionField, listOperators, WITHOUT_VALUE } from './metadataConditions.ts'

export interface MetadataConditionsProps {
  /** At least one. */
  fields: readonly ConditionField[]
  conditions: readonly ConditionDraft[]
  isAny: boolean
  onChange: (conditions: readonly ConditionDraft[], isAny: boolean) => void
}

/** Limits a retrieval to documents by their metadata. */
export function MetadataConditions({ fields, conditions, isAny, onChange }: MetadataConditionsProps) {
  const t = useMessages(metadataMessages)
  const getType = (name: string) => fields.find((field) => field.name === name)?.type
  const change = (index: number, part: Partial<ConditionDraft>) =>
    onChange(
      conditions.map((condition, at) => (at === index ? { ...condition, ...part } : condition)),
      isAny,
    )
  const toDraft = (name: string): ConditionDraft => ({
    name,
    operator: listOperators(getType(name))[0] ?? 'is',
    value: '',
  })
  return (
    <Stack
      gap="sm"
      align="flex-start"
      px="lg"
      py="sm"
      style={{ borderBottom: '1px solid var(--line)' }}
      role="group"
      aria-label={t('conditions')}
    >
      {conditions.length > 1 ? (
        <NativeSelect
          aria-label={t('combination')}
          value={isAny ? 'or' : 'and'}
          onChange={(event) => onChange(conditions, event.currentTarget.value === 'or')}
          data={[
            { value: 'and', label: t('allConditions') },
            { value: 'or', label: t('anyCondition') },
          ]}
        />
      ) : null}
      {conditions.map((condition, index) => (
        <Group key={index} gap="sm" align="flex-start">
          <NativeSelect
            flex={1}
            miw={160}
            aria-label={t('conditionField', { number: index + 1 })}
            value={condition.name}
            onChange={(event) => change(index, toDraft(event.currentTarget.value))}
            data={fields.map(({ name }) => name)}
          />
          <NativeSelect
            aria-label={t('conditionOperator', { number: index + 1 })}
            value={condition.operator}
            onChange={(event) => change(index, { operator: event.currentTarget.value as MetadataOperator })}
            data={listOperators(getType(condition.name))}
          />
          {WITHOUT_VALUE.includes(condition.operator) ? null : (
            <MetadataValueInput
              aria-label={t('conditionValue', { number: index + 1 })}
              type={getType(condition.name)}
              value={condition.value}
              onChange={(value) => change(index, { value })}
            />
          )}
          <ActionIcon
            size={30}
            aria-label={t('removeCondition', { number: index + 1 })}
            title={t('removeCondition', { number: index + 1 })}
            onClick={() =>
              onChange(
                conditions.filter((_, at) => at !== index),
                isAny,
              )
            }
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...conditions, toDraft(fields[0]?.name ?? '')], isAny)}
      >
        {t('addCondition')}
      </Button>
    </Stack>
  )
}
