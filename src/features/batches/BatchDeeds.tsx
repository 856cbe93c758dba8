import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconPlayerPause, IconPlayerPlay, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { type Batch, EXPORT_FORMATS, exportPath } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { BatchPace } from './BatchPace.tsx'
import classes from './Batch.module.css'
import { DeleteBatch } from './DeleteBatch.tsx'
import { batchesWords } from './messages.ts'
import { May } from '../../wire/May.tsx'
import { EXPORT } from '#contract/roles.ts'

const AGAIN = { failed: 'retryFailed', stopped: 'retryStopped', unknown: 'retryUnknown' } as const

/** What can be done with a batch as it stands. */
export function BatchDeeds({ batch }: { batch: Batch }) {
  const t = useWords(batchesWords)
  const start = useWrite(contract.console.startBatch)
  const pause = useWrite(contract.console.pauseBatch)
  const retry = useWrite(contract.console.retryBatch)
  const [open, setOpen] = useState<'pace' | 'delete' | null>(null)
  const params = { batch_id: batch.id }
  // The other pauses have their way on beside what they say.
  const isResumed = batch.pause === 'person' || batch.pause === 'no_access'
  const again = (['failed', 'stopped', 'unknown'] as const).filter((state) => batch.counts[state] > 0)
  const problem = start.error?.problem ?? pause.error?.problem ?? retry.error?.problem
  return (
    <>
      <May entry={contract.console.startBatch}>
        {batch.state === 'running' ? (
          <Button
            leftSection={<IconPlayerPause size={14} />}
            loading={pause.isPending}
            onClick={() => pause.mutate({ params })}
          >
            {t('pause')}
          </Button>
        ) : null}
        {batch.state === 'paused' && (isResumed || batch.pause === 'not_started') ? (
          <Button
            leftSection={<IconPlayerPlay size={14} />}
            loading={start.isPending}
            onClick={() => start.mutate({ params, body: {} })}
          >
            {t(isResumed ? 'resume' : 'start')}
          </Button>
        ) : null}
        {again.length > 0 && batch.state !== 'running' ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" leftSection={<IconRepeat size={14} />} loading={retry.isPending}>
                {t('retryRows')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {again.map((state) => (
                <Menu.Item key={state} onClick={() => retry.mutate({ params, body: { states: [state] } })}>
                  {t(batch.kind === 'annotations' && state === 'unknown' ? 'retryUnknownMade' : AGAIN[state], {
                    n: batch.counts[state],
                  })}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </May>
      <May entry={EXPORT}>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={14} />}>
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {EXPORT_FORMATS.map((format) => (
              <Menu.Item key={format} component="a" href={exportPath(batch.id, format)} download>
                {t(format === 'csv' ? 'exportCsv' : 'exportJsonl')}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </May>
      <May entry={contract.console.updateBatch}>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t('more')} title={t('more')}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpen('pace')}>{t('changePace')}</Menu.Item>
            <Menu.Item disabled={batch.state === 'running'} onClick={() => setOpen('delete')}>
              {t('delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </May>
      {open === 'pace' ? <BatchPace batch={batch} onClose={() => setOpen(null)} /> : null}
      {open === 'delete' ? <DeleteBatch batch={batch} onClose={() => setOpen(null)} /> : null}
      {problem ? (
        <div className={classes.deedProblem}>
          <ProblemNote problem={problem} what={t('changeWhat')} />
        </div>
      ) : null}
    </>
  )
}
