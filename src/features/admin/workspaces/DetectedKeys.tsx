import { ActionIcon, Flex, NativeSelect, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { KEY_KINDS, type KeyKind } from '#contract/endpoint.ts'
import type { DetectedKey } from '#contract/console/admin/workspaceAdmin.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { workspaceMessages } from './messages.ts'

/** A typed key that is not saved yet. */
export interface NewKey {
  secret: string
  detection: DetectedKey
  /** Null until selected, if detection is inconclusive. */
  kind: KeyKind | null
  label: string
}

export interface DetectedKeysProps {
  base_url: string
  /** The URL as typed, if another one was found. */
  correctedFrom: string | null
  version: string | null
  keys: readonly NewKey[]
  onChange: (keys: NewKey[]) => void
}

/** The detected kind of each key, for a person to confirm. */
export function DetectedKeys({ base_url, correctedFrom, version, keys, onChange }: DetectedKeysProps) {
  const t = useMessages(workspaceMessages)
  const change = (keyIndex: number, updateKey: Partial<NewKey>) =>
    onChange(keys.map((one, index) => (index === keyIndex ? { ...one, ...updateKey } : one)))
  const rejectionText = keys.filter(({ detection }) => detection.problem).length
  return (
    <section aria-label={t('found')}>
      <Text mb="sm" role="status">
        {version ? t('foundVersion', { base_url, version }) : t('foundAt', { base_url })}{' '}
        {correctedFrom === null ? null : t('corrected', { typed: correctedFrom })}
      </Text>
      {rejectionText > 0 ? (
        <Text c="var(--text-3)" fz="sm">
          {t('refusedKeys', { count: rejectionText })}
        </Text>
      ) : null}
      <Stack component="ol" gap="sm">
        {keys.map(({ secret, detection, kind, label }, keyIndex) => (
          <Paper key={secret} component="li" radius="md" px="md" py="sm">
            <Flex gap="sm" align="start">
              {detection.problem ? (
                <ProblemAlert
                  problem={detection.problem}
                  title={t('ending', { number: toKeyNumber(secret, keyIndex) })}
                />
              ) : (
                <SimpleGrid minColWidth="160px" spacing="sm" flex={1}>
                  <NativeSelect
                    label={t('kindOf', { number: toKeyNumber(secret, keyIndex) })}
                    description={detection.kind ? undefined : t('kindUnknown')}
                    value={kind ?? ''}
                    onChange={(event) => {
                      const next = KEY_KINDS.find((one) => one === event.currentTarget.value) ?? null
                      change(keyIndex, { kind: next, ...(label === '' && next ? { label: t(next) } : {}) })
                    }}
                  >
                    {kind ? null : <option value="">{t('choose')}</option>}
                    {detection.may_be.map((one) => (
                      <option key={one} value={one}>
                        {t(one)}
                      </option>
                    ))}
                  </NativeSelect>
                  <TextInput
                    label={t('labelOf', { number: String(keyIndex + 1) })}
                    value={label}
                    maxLength={80}
                    onChange={(event) => change(keyIndex, { label: event.currentTarget.value })}
                  />
                </SimpleGrid>
              )}
              <ActionIcon
                aria-label={t('removeKey', { number: toKeyNumber(secret, keyIndex) })}
                onClick={() => onChange(keys.filter((_, index) => index !== keyIndex))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Flex>
          </Paper>
        ))}
      </Stack>
    </section>
  )

  /** The number of a key with its last characters, where they give away little of it. */
  function toKeyNumber(secret: string, index: number): string {
    const hint = secret.length < MIN_HINTED_KEY_CHARS ? 'none' : secret.slice(-HINT_CHARS)
    return t('keyNumber', { number: String(index + 1), hint })
  }
}

const MIN_HINTED_KEY_CHARS = 20
const HINT_CHARS = 4
