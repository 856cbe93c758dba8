import { Button, Menu } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import type { Key } from '#contract/console.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import classes from './Annotations.module.css'
import { FORMATS } from './annotationFile.ts'
import { annotationsWords } from './messages.ts'
import { useExport } from './useExport.ts'
import { contract } from '#contract/index.ts'
import { May } from '../../wire/May.tsx'

/** What can be done with the list as a whole. */
export function ListActions({ workspace, app }: { workspace: string; app: Key }) {
  const t = useWords(annotationsWords)
  const { set } = useListState()
  const { written, problem, run } = useExport(workspace, app)
  return (
    <>
      {written ? (
        <span role="status" className={classes.written}>
          {t(written.isDone ? (written.isListed ? 'exported' : 'exportedSeen') : 'exporting', {
            count: written.count,
            total: written.total,
          })}
        </span>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            loading={written !== null && !written.isDone && !problem}
          >
            {t('export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item key={format} onClick={() => void run(format)}>
              {t(format === 'csv' ? 'exportCsv' : 'exportJsonl')}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <May entry={contract.annotations.create}>
        <Button leftSection={<IconPlus size={14} />} onClick={() => set({ annotation: 'new' })}>
          {t('new')}
        </Button>
      </May>
      {problem ? (
        <div className={classes.over}>
          <ProblemNote problem={problem} what={t('exportWhat')} />
        </div>
      ) : null}
    </>
  )
}
