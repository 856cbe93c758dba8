import { Button, Menu } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Annotations.module.css'
import { ANNOTATION_EXPORT_FORMATS } from './export/annotationExport.ts'
import { annotationMessages } from './messages.ts'
import { useAnnotationExport } from './export/useAnnotationExport.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { Can } from '../../client/Can.tsx'

/** Actions on the list as a whole. */
export function AnnotationListActions({ workspace, app }: { workspace: string; app: Key }) {
  const t = useMessages(annotationMessages)
  const { set } = useSearchParamState()
  const { written: exportProgress, problem, run } = useAnnotationExport(workspace, app)
  return (
    <>
      {exportProgress ? (
        <span role="status" className={classes.written}>
          {t(exportProgress.isDone ? (exportProgress.isFromPlatform ? 'exported' : 'exportedSeen') : 'exporting', {
            count: exportProgress.count,
            total: exportProgress.total,
          })}
        </span>
      ) : null}
      <Can entry={EXPORT_PERMISSION}>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<IconDownload size={14} />}
              loading={exportProgress !== null && !exportProgress.isDone && !problem}
            >
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {ANNOTATION_EXPORT_FORMATS.map((format) => (
              <Menu.Item key={format} onClick={() => void run(format)}>
                {t(format === 'csv' ? 'exportCsv' : 'exportJsonl')}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Can>
      <Can entry={annotationEndpoints.create}>
        <Button leftSection={<IconPlus size={14} />} onClick={() => set({ annotation: 'new' })}>
          {t('new')}
        </Button>
      </Can>
      {problem ? (
        <div className={classes.over}>
          <ProblemAlert problem={problem} action={t('exportWhat')} />
        </div>
      ) : null}
    </>
  )
}
