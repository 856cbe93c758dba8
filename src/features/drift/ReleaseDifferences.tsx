import { Box, Text } from '@mantine/core'
import { RELEASES } from '#contract/platform/schemas.ts'
import { findRelease } from '#domain/contractDrift/releases.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Drift.module.css'
import { driftMessages } from './messages.ts'

const SUBJECTS = [
  'unknownRun',
  'stopInStream',
  'stopInDetail',
  'stoppedChatflow',
  'annotatedChatflow',
  'resumedWorkflow',
  'refusedInputs',
  'failedChatflow',
  'chatflowOrder',
  'statusFilter',
  'datasetBeforeKey',
  'deleteReply',
  'bodyErrors',
  'annotationRoutes',
] as const

/** What released platforms do differently from each other; the column of the release that this workspace answers as is marked. */
export function ReleaseDifferences({ version }: { version: string | null }) {
  const t = useMessages(driftMessages)
  const current = findRelease(version)
  return (
    <Box
      component="details"
      flex="none"
      mah="60%"
      px="lg"
      py="sm"
      style={{ borderTop: '1px solid var(--line)', overflow: 'auto' }}
    >
      <Text component="summary" fw={600}>
        {t('differencesTitle')}
      </Text>
      <Text c="dimmed" fz="sm">
        {t('differencesNote')} {version ? t('differencesVersion', { version }) : t('differencesUnknown')}
      </Text>
      <table className={classes.differences} aria-label={t('differencesTitle')}>
        <thead>
          <tr>
            <th scope="col">{t('differencesSubject')}</th>
            {RELEASES.map((release) => (
              <th key={release} scope="col" data-current={release === current || undefined}>
                {release === current ? t('thisRelease', { release }) : release}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SUBJECTS.map((subject) => (
            <tr key={subject}>
              <th scope="row">{t(subject)}</th>
              {RELEASES.map((release) => (
                <td key={release} data-current={release === current || undefined}>
                  {t(`${subject}In`, { release: release.replaceAll('.', '_') })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}
