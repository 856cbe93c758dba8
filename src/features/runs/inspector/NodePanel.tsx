import { ActionIcon, Box, CopyButton, Flex, SimpleGrid, Tabs, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatExactTime } from '#domain/dateFormat.ts'
import { getNodeState } from '#domain/workflowRun/runEnd.ts'
import type { AgentLog, RunNode, RunState } from '#domain/workflowRun/runState.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ParentDiff } from '../compare/ParentDiff.tsx'
import { getNodeName, getNodeTokens } from '../timeline/nodeDisplay.ts'
import { timelineMessages } from '../timeline/messages.ts'
import frame from './Inspector.module.css'
import classes from './NodePanel.module.css'

interface NodePanelProps {
  node: RunNode
  run: RunState
  run_id: string
  /** The parent run. */
  parent: string | null
  onClose: () => void
}

/** One node: first the platform's error, then metrics, inputs and outputs. */
export function NodePanel({ node, run, run_id, parent: parentRunId, onClose }: NodePanelProps) {
  const t = useMessages(timelineMessages)
  const [tab, setTab] = useState<string | null>('inputs')
  const { node_type, kind, status, error, elapsed_time, retries, logs, parent, round, index } = node
  const holder = run.nodes.findLast((one) => one.node_id === parent && one.kind !== 'node')
  const tokens = getNodeTokens(node)
  const isOpen = status === 'running' && !run.ended
  const facts: [string, ReactNode][] = [
    [t('elapsed'), elapsed_time === null ? null : t('secondsShort', { seconds: formatSeconds(elapsed_time * 1000) })],
    [t('totalTokens'), tokens === null ? null : formatCount(tokens)],
    [t('started'), node.created_at === null ? null : formatExactTime(node.created_at * 1000)],
    [t('nodeId'), node.node_id === null ? null : <code>{node.node_id}</code>],
    [t('index'), index],
    ...(round === null || !holder
      ? []
      : [[t('inRound'), t('roundOf', { round, name: getNodeName(holder) })] as [string, ReactNode]]),
  ]
  const parts: [string, string, unknown][] = [
    ['inputs', t('inputs'), node.inputs],
    ['outputs', t('outputs'), node.outputs],
    ['process', t('process'), node.process_data],
    ['metadata', t('metadata'), node.execution_metadata],
  ]
  return (
    <section className={frame.inspector} aria-label={getNodeName(node)}>
      <header className={frame.head}>
        <h2 dir="auto">{getNodeName(node)}</h2>
        <code>{node_type ?? kind}</code>
        <StatusBadge status={getNodeState(node, run)} />
        <ActionIcon aria-label={t('closeNode')} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      <div className={frame.panel} tabIndex={0} role="region" aria-label={getNodeName(node)}>
        {error === null ? null : <NodeError words={error} />}
        {node.is_cut ? (
          <Text mb="md" role="note">
            {t('nodeCut')}
          </Text>
        ) : null}
        {retries.length > 0 ? (
          <Box
            component="ol"
            mb="md"
            pl="lg"
            fz="sm"
            c="dimmed"
            style={{ listStyle: 'revert', overflowWrap: 'anywhere' }}
            aria-label={t('retries')}
          >
            {retries.map((retry, at) => (
              <li key={at}>
                {t('retry', { index: retry.retry_index ?? at + 1, error: retry.error ?? t('notGiven') })}
                {retry.elapsed_time === null ? null : (
                  <small> {t('secondsShort', { seconds: formatSeconds(retry.elapsed_time * 1000) })}</small>
                )}
              </li>
            ))}
          </Box>
        ) : null}
        <SimpleGrid
          component="dl"
          minColWidth="160px"
          autoFlow="auto-fit"
          spacing="lg"
          verticalSpacing={4}
          mb="md"
          fz="sm"
        >
          {facts.map(([name, value]) => (
            <Flex key={name} gap="sm" miw={0}>
              <Text component="dt" inherit flex="none" c="dimmed">
                {name}
              </Text>
              <Text component="dd" inherit miw={0} fw={500} style={FACT_STYLE}>
                {value ?? (
                  <Text span inherit fw={400} c="var(--text-3)">
                    {t('notGiven')}
                  </Text>
                )}
              </Text>
            </Flex>
          ))}
        </SimpleGrid>
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List>
            {parts.map(([name, label]) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
            {logs.length > 0 ? <Tabs.Tab value="logs">{t('agentLogs')}</Tabs.Tab> : null}
            {parentRunId === null ? null : <Tabs.Tab value="parent">{t('diffToParent')}</Tabs.Tab>}
          </Tabs.List>
          {parts.map(([name, label, value]) => (
            <Tabs.Panel key={name} value={name} pt="sm">
              {value === null || value === undefined ? (
                <Text fz="sm" c="var(--text-3)">
                  {t(isOpen ? 'sentAtEnd' : 'notSent')}
                </Text>
              ) : (
                <RawJson value={value} label={label} />
              )}
            </Tabs.Panel>
          ))}
          <Tabs.Panel value="logs" pt="sm">
            <AgentLogs logs={logs} />
          </Tabs.Panel>
          {parentRunId === null ? null : (
            <Tabs.Panel value="parent" pt="sm">
              <ParentDiff node={node} run={run} run_id={run_id} parent={parentRunId} />
            </Tabs.Panel>
          )}
        </Tabs>
      </div>
    </section>
  )
}

/** The platform's error message, unmodified. */
function NodeError({ words: message }: { words: string }) {
  const t = useMessages(timelineMessages)
  return (
    <section className={classes.said} aria-label={t('platformMessage')}>
      <h3>
        {t('platformMessage')}
        <CopyButton value={message} timeout={1500}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t('copied') : t('copyPlatformMessage')}>
              <ActionIcon size={24} aria-label={t('copyPlatformMessage')} onClick={copy}>
                {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </h3>
      <pre dir="auto">{message}</pre>
    </section>
  )
}

/** Deeper log entries are not indented further. */
const MAX_INDENT_LEVELS = 6

const FACT_STYLE = { fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' } as const

/** The rounds and calls that an agent logged, each below its parent. */
function AgentLogs({ logs }: { logs: readonly AgentLog[] }) {
  return (
    <Box component="ol" fz="sm">
      {logs.map((log) => (
        <li key={log.id} style={{ padding: '3px 0', paddingInlineStart: 14 * getLogDepth(log, logs) }}>
          <details>
            <summary>
              <span dir="auto">{log.label ?? log.id}</span>{' '}
              {log.status ? <StatusBadge status={log.status} isPlain /> : null}
            </summary>
            {log.error === null ? null : <pre className={classes.words}>{log.error}</pre>}
            <RawJson value={{ data: log.data, metadata: log.metadata }} label={log.label ?? log.id} />
          </details>
        </li>
      ))}
    </Box>
  )
}

function getLogDepth({ parent_id }: AgentLog, logs: readonly AgentLog[]): number {
  let depth = 0
  for (let id = parent_id; id !== null && depth < MAX_INDENT_LEVELS; depth++)
    id = logs.find((log) => log.id === id)?.parent_id ?? null
  return depth
}
