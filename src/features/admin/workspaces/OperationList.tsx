import { Box, Flex, Paper, Text } from '@mantine/core'
import type { Key, Capability, CapabilityState } from '#contract/console/workspaces.ts'
import { findReleaseRepair } from '#domain/platformKeys/releaseFaults.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { workspaceMessages } from './messages.ts'
import { operationMessages } from './operationMessages.ts'
import classes from './Workspaces.module.css'
import { acceptsKeyKind } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import blocks from '../../../components/layout/Blocks.module.css'

/** The operations of a key, folded: whether the platform offers each, with its message where it does not. */
export function OperationList({ listed }: { listed: Key }) {
  const t = useMessages(workspaceMessages)
  const operations = listKeyOperations(listed)
  const groups = [
    { title: t('operationsOfInterface'), rows: operations.filter(({ isOptional }) => !isOptional) },
    { title: t('operationsOptional'), rows: operations.filter(({ isOptional }) => isOptional) },
  ]
  return (
    <details className={classes.fold}>
      <summary>
        {t('operationsOf', { label: listed.label })}
        <Text span inherit c="var(--text-3)" fw={400}>
          {' '}
          {t('operationCounts', countStates(operations))}
        </Text>
      </summary>
      <Text c="var(--text-3)" fz="sm">
        {t('operationsHelp')}
      </Text>
      {groups.map(({ title, rows }) => (
        <section key={title} aria-label={`${t('operationsOf', { label: listed.label })}, ${title}`}>
          <Text component="h3" mt="sm" mb={4} c="dimmed" fz="sm" fw={600}>
            {title}
          </Text>
          <Paper component="ul" className={blocks.rows} radius="md">
            {rows.map((operation) => (
              <OperationRow key={operation.name} operation={operation} />
            ))}
          </Paper>
        </section>
      ))}
    </details>
  )
}

function OperationRow({ operation }: { operation: KeyOperation }) {
  const t = useMessages(workspaceMessages)
  const { name, method, path, state, capability } = operation
  const { message, assumed_from, version } = capability ?? {}
  const repair = state === 'broken' && message ? findReleaseRepair(message) : null
  return (
    <Flex component="li" justify="space-between" gap="md" fz={13}>
      <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
        {operationMessages[name] ?? name}{' '}
        <Text component="code" fz="sm" c="dimmed">
          {method} {path}
        </Text>
        {message ? (
          <Text component="q" display="block" fz="sm" c="dimmed" dir="auto">
            {message}
          </Text>
        ) : null}
        {repair ? (
          <Text fz="sm" c="dimmed">
            {repair}
          </Text>
        ) : null}
        {assumed_from ? (
          <Text fz="sm" c="dimmed">
            {t('assumedFrom', { operation: operationMessages[assumed_from] ?? assumed_from })}
          </Text>
        ) : null}
      </Box>
      <Box flex="none" maw="40%">
        <StatusBadge status={t(`state_${state}`)} isPlain />{' '}
        {state === 'broken' && version ? (
          <Text fz="sm" c="dimmed">
            {t('inRelease', { version })}
          </Text>
        ) : null}
      </Box>
    </Flex>
  )
}

/** An operation that a key of this kind can call, and what is known of it. */
interface KeyOperation {
  name: string
  method: string
  path: string
  isOptional: boolean
  state: CapabilityState | 'unknown'
  capability: Capability | null
}

/** Every operation for a key, of the interface and beyond it, in the order of the contract. */
export function listKeyOperations({ kind, capabilities }: Pick<Key, 'kind' | 'capabilities'>): KeyOperation[] {
  return [...platformEntries].flatMap(([entryName, { key, method, path, optional }]) => {
    if (!acceptsKeyKind(kind, key)) return []
    const name = entryName.replace(/^adjacent\./, '')
    const capability = capabilities[name] ?? null
    return [{ name, method, path, isOptional: optional, state: capability?.state ?? 'unknown', capability }]
  })
}

const countStates = (operations: readonly KeyOperation[]) => {
  const count = (state: KeyOperation['state']) => operations.filter((one) => one.state === state).length
  return {
    offered: count('offered'),
    refused: count('refused'),
    broken: count('broken'),
    missing: count('missing'),
    unknown: count('unknown'),
  }
}
