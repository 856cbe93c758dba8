import { Flex, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type WorkflowVersion, runInsightEndpoints } from '#contract/console/runInsights.ts'
import { formatRelativeTime } from '../../../components/data/RelativeTime.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { versionMessages } from './messages.ts'
import type { PinnedVersion } from './usePinnedVersion.ts'

/** Values of the select that are not ids. */
const CURRENT = ''
const OTHER = 'other'

export interface VersionFieldProps {
  /** The id of the key. */
  app: string
  version: PinnedVersion
  /** Without a visible label, for a row of controls. */
  isCompact?: boolean
}

/** Chooses the version of the next run: the current one, one of earlier runs, or any id. */
export function VersionField({ app, version, isCompact = false }: VersionFieldProps) {
  const { workflow_id, setWorkflowId } = version
  const t = useMessages(versionMessages)
  const [isOther, setOther] = useState(false)
  const [now] = useState(Date.now)
  const read = useRead(runInsightEndpoints.listVersions, { query: { key: app } })
  const versions = read.data?.data ?? []
  const isListed = versions.some((one) => one.workflow_id === workflow_id)
  const toOption = ({ workflow_id: value, last_seen, runs, failed }: WorkflowVersion) => ({
    value,
    label: t('seen', {
      id: value.slice(0, 8),
      when: formatRelativeTime(new Date(last_seen), now),
      runs,
      rate: Math.round((100 * failed) / runs),
    }),
  })
  const isUnlisted = workflow_id !== null && !isListed && !isOther
  return (
    <Flex gap="sm" miw={0} wrap={isCompact ? 'wrap' : 'nowrap'} direction={isCompact ? 'row' : 'column'}>
      <NativeSelect
        {...(isCompact
          ? { 'aria-label': t('version'), size: 'xs' }
          : { label: t('version'), description: t('versionWhy') })}
        styles={{ input: { maxWidth: isCompact ? 240 : undefined, textOverflow: 'ellipsis' } }}
        value={isOther ? OTHER : (workflow_id ?? CURRENT)}
        onChange={(event) => {
          const { value } = event.currentTarget
          setOther(value === OTHER)
          if (value !== OTHER) setWorkflowId(value === CURRENT ? null : value)
        }}
        data={[
          { value: CURRENT, label: t('current') },
          ...versions.map(toOption),
          ...(isUnlisted ? [{ value: workflow_id, label: t('pinnedId', { id: workflow_id.slice(0, 8) }) }] : []),
          { value: OTHER, label: t('other') },
        ]}
      />
      {isOther ? (
        <TextInput
          {...(isCompact ? { 'aria-label': t('id'), placeholder: t('id'), size: 'xs' } : { label: t('id') })}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          maxLength={255}
          spellCheck={false}
          autoComplete="off"
          autoFocus
          value={workflow_id ?? ''}
          onChange={(event) => setWorkflowId(event.currentTarget.value.trim() || null)}
        />
      ) : null}
      <ReadBoundary read={read} action={t('listVersions')} loading={null}>
        {() => null}
      </ReadBoundary>
    </Flex>
  )
}
