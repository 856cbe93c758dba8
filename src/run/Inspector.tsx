import { ActionIcon, Tabs } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import type { Run } from '#contract/runs.ts'
import { useRun } from '../wire/useRun.ts'
import classes from './Inspector.module.css'
import { type Tab, TABS } from './tabs.ts'
import { RequestTab } from './RequestTab.tsx'
import { SourcesTab } from './SourcesTab.tsx'
import { turnOf } from './turn.ts'
import { UsageTab } from './UsageTab.tsx'

export interface InspectorProps {
  run_id: string | null
  run: Run | null
  workspace: string
  tab: Tab
  source: number | null
  onTab: (tab: Tab) => void
  onClose: () => void
}

/** What belongs to one answer beside its words: its sources, what it cost, what was sent. */
export function Inspector({ run_id, run, workspace, tab, source, onTab, onClose }: InspectorProps) {
  const t = useTranslations('run')
  const turn = turnOf(run, useRun(contract.chat.send, run_id, false))
  const counts: Partial<Record<Tab, number>> = turn ? { sources: turn.answer.sources.length } : {}
  return (
    <Tabs
      value={tab}
      onChange={(value) => onTab(TABS.find((one) => one === value) ?? 'sources')}
      className={classes.inspector}
    >
      <div className={classes.head}>
        <Tabs.List className={classes.tabs} aria-label={t('inspector')}>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(one)}
              {counts[one] ? <span className={classes.count}>{counts[one]}</span> : null}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <ActionIcon aria-label={t('closeInspector')} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </div>
      <Tabs.Panel value={tab} className={classes.panel} tabIndex={0}>
        {!turn ? <p className={classes.none}>{t('nothingToInspect')}</p> : null}
        {turn && tab === 'sources' ? <SourcesTab turn={turn} workspace={workspace} source={source} /> : null}
        {turn && tab === 'usage' ? <UsageTab turn={turn} /> : null}
        {turn && tab === 'request' ? <RequestTab turn={turn} /> : null}
      </Tabs.Panel>
    </Tabs>
  )
}
