import { ActionIcon, CopyButton, Tabs } from '@mantine/core'
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { RunNode, RunState } from '#contract/run.ts'
import { RawJson } from '../../ui/RawJson.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { ParentDiff } from '../compare/ParentDiff.tsx'
import { count, seconds } from '../figures.ts'
import { AgentLogs } from './AgentLogs.tsx'
import { nameOf, tokensOf } from './look.ts'
import { timelineWords } from './messages.ts'
import classes from './NodePanel.module.css'

export interface NodePanelProps {
  node: RunNode
  run: RunState
  run_id: string
  /** The run that this one was made from. */
  parent: string | null
  onClose: () => void
}

/** One node: what the platform said of a failure first, then its figures, then what it was given and gave. */
export function NodePanel({ node, run, run_id, parent: madeFrom, onClose }: NodePanelProps) {
  const t = useWords(timelineWords)
  const [tab, setTab] = useState<string | null>('inputs')
  const { node_type, kind, status, error, elapsed_time, retries, logs, parent, round, index } = node
  const holder = run.nodes.findLast((one) => one.node_id === parent && one.kind !== 'node')
  const tokens = tokensOf(node)
  const isOpen = status === 'running' && !run.ended
  const facts: [string, ReactNode][] = [
    [t('elapsed'), elapsed_time === null ? null : t('secondsShort', { seconds: seconds(elapsed_time * 1000) })],
    [t('totalTokens'), tokens === null ? null : count(tokens)],
    [t('started'), node.created_at === null ? null : new Date(node.created_at * 1000).toLocaleString()],
    [t('nodeId'), node.node_id === null ? null : <code>{node.node_id}</code>],
    [t('index'), index],
    ...(round === null || !holder
      ? []
      : [[t('inRound'), t('roundOf', { round, name: nameOf(holder) })] as [string, ReactNode]]),
  ]
  const parts: [string, string, unknown][] = [
    ['inputs', t('inputs'), node.inputs],
    ['outputs', t('outputs'), node.outputs],
    ['process', t('process'), node.process_data],
    ['metadata', t('metadata'), node.execution_metadata],
  ]
  return (
    <section className={classes.panel} aria-label={nameOf(node)}>
      <header className={classes.head}>
        <h2 dir="auto">{nameOf(node)}</h2>
        <code>{node_type ?? kind}</code>
        <StateBadge word={status === 'running' && run.ended ? (run.paused ? 'paused' : 'interrupted') : status} />
        <ActionIcon aria-label={t('closeNode')} onClick={onClose} className={classes.close}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      <div className={classes.body} tabIndex={0} role="region" aria-label={nameOf(node)}>
        {error === null ? null : <Said words={error} />}
        {retries.length > 0 ? (
          <ol className={classes.retries} aria-label={t('retries')}>
            {retries.map((retry, at) => (
              <li key={at}>
                {t('retry', { index: retry.retry_index ?? at + 1, error: retry.error ?? t('notGiven') })}
                {retry.elapsed_time === null ? null : (
                  <small> {t('secondsShort', { seconds: seconds(retry.elapsed_time * 1000) })}</small>
                )}
              </li>
            ))}
          </ol>
        ) : null}
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value ?? <span className={classes.missing}>{t('notGiven')}</span>}</dd>
            </div>
          ))}
        </dl>
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List>
            {parts.map(([name, label]) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
            {logs.length > 0 ? <Tabs.Tab value="logs">{t('agentLogs')}</Tabs.Tab> : null}
            {madeFrom === null ? null : <Tabs.Tab value="parent">{t('diffToParent')}</Tabs.Tab>}
          </Tabs.List>
          {parts.map(([name, label, value]) => (
            <Tabs.Panel key={name} value={name} className={classes.part}>
              {value === null || value === undefined ? (
                <p className={classes.missing}>{t(isOpen ? 'notToldYet' : 'notTold')}</p>
              ) : (
                <RawJson value={value} label={label} />
              )}
            </Tabs.Panel>
          ))}
          <Tabs.Panel value="logs" className={classes.part}>
            <AgentLogs logs={logs} />
          </Tabs.Panel>
          {madeFrom === null ? null : (
            <Tabs.Panel value="parent" className={classes.part}>
              <ParentDiff node={node} run={run} run_id={run_id} parent={madeFrom} />
            </Tabs.Panel>
          )}
        </Tabs>
      </div>
    </section>
  )
}

/** The platform's words of a failure, untouched. */
function Said({ words }: { words: string }) {
  const t = useWords(timelineWords)
  return (
    <section className={classes.said} aria-label={t('said')}>
      <h3>
        {t('said')}
        <CopyButton value={words} timeout={1500}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t('copied') : t('copySaid')}>
              <ActionIcon size={24} aria-label={t('copySaid')} onClick={copy}>
                {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </h3>
      <pre dir="auto">{words}</pre>
    </section>
  )
}
