import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { NumberInput, Stack, Text } from '@mantine/core'
import { formatDate, formatDateTime } from '#domain/dateFormat.ts'
import { type Retention, retentionEndpoints } from '#contract/console/retention.ts'
import { paths } from '#domain/paths.ts'
import { Page } from '../../components/layout/Page.tsx'
import { InlineForm } from '../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../components/forms/useContractForm.ts'
import { ReadBoundary } from '../../components/layout/ReadBoundary.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import classes from './Ledger.module.css'
import { ledgerMessages } from './messages.ts'
import { PurgeForm } from './PurgeForm.tsx'
import { usePermission } from '../../client/usePermission.ts'

/** Milliseconds between looks while calls are being removed, and else. */
const PURGING_POLL_INTERVAL_MS = 1_000
const IDLE_POLL_INTERVAL_MS = 15_000

/** What a workspace stores, in bytes. Snapshots are copies of the complete database. */
const listStorage = ({ bytes, frame_bytes, file_bytes }: Retention) =>
  [
    ['calls', (bytes ?? 0) - (frame_bytes ?? 0) - (file_bytes ?? 0)],
    ['frames', frame_bytes],
    ['savedFiles', file_bytes],
    ['snapshots', null],
  ] as const

/** `/ledger/retention`: the stored calls of a workspace, their limits, and purging. */
export function RetentionPage() {
  const t = useMessages(ledgerMessages)
  const { workspace } = useWorkspace()
  const isAdmin = usePermission()(retentionEndpoints.updateRetention)
  const read = useRead(
    retentionEndpoints.readRetention,
    { params: { workspace_id: workspace?.id ?? '' } },
    {
      enabled: Boolean(workspace),
      pollIntervalMs: (reply) =>
        reply?.purge_before || reply?.erasures.length ? PURGING_POLL_INTERVAL_MS : IDLE_POLL_INTERVAL_MS,
    },
  )
  return (
    <Page
      title={workspace ? t('retentionTitle', { workspace: workspace.name }) : t('retention')}
      breadcrumbs={
        <>
          <Link to={paths.ledger({ workspace: workspace?.id })}>{t('title')}</Link>
          <span>/</span>
        </>
      }
    >
      <title>{`${t('retention')} · Loupe`}</title>
      <Stack className={classes.settings} gap="xl" maw={640} p="xl">
        <ReadBoundary read={read} action={t('readRetention')} loading={<SkeletonRows rows={4} height={60} />}>
          {(retention) =>
            workspace ? (
              <Fragment key={workspace.id}>
                <section aria-label={t('kept')}>
                  <SettingsTitle>{t('kept')}</SettingsTitle>
                  <p>
                    {retention.counted_at === null
                      ? t(workspace.access === 'keys' ? 'countedForWorkspace' : 'notCounted')
                      : t.rich(retention.calls ? 'counted' : 'countedNone', {
                          calls: retention.calls ?? 0,
                          size: ((retention.bytes ?? 0) / 1_000_000).toFixed(1),
                          oldest: retention.oldest ? formatDate(retention.oldest) : '',
                          since: () => <RelativeTime at={retention.counted_at ?? ''} />,
                        })}
                  </p>
                  {retention.file_bytes === null ? null : (
                    <table className={classes.storage} aria-label={t('storage')}>
                      <tbody>
                        {listStorage(retention).map(([name, bytes]) => (
                          <tr key={name}>
                            <th scope="row">{t(name)}</th>
                            <td>
                              {bytes === null ? t('notMeasured') : t('bytes', { bytes: bytes.toLocaleString('en') })}
                            </td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  )}
                  <ul>
                    {retention.keep_days === null && retention.keep_megabytes === null ? (
                      <li>{t('keepsAll')}</li>
                    ) : null}
                    {retention.keep_days === null ? null : <li>{t('keepsDays', { days: retention.keep_days })}</li>}
                    {retention.keep_megabytes === null ? null : (
                      <li>{t('keepsMegabytes', { megabytes: retention.keep_megabytes.toLocaleString('en') })}</li>
                    )}
                    <li>{t('keepsFiles', { megabytes: retention.keep_file_megabytes.toLocaleString('en') })}</li>
                    <li>{t('deletedData')}</li>
                    <li>{t('retainedData')}</li>
                    <li>{t('atPlatform')}</li>
                    {retention.removed_at ? (
                      <li>
                        {t.rich('removed', {
                          count: retention.removed,
                          since: () => <RelativeTime at={retention.removed_at ?? ''} />,
                        })}
                      </li>
                    ) : null}
                  </ul>
                </section>
                {retention.purge_before ? (
                  <p role="status">{t('purging', { moment: formatDateTime(retention.purge_before) })}</p>
                ) : null}
                {retention.erasures.map(({ end_user, before }) => (
                  <p key={end_user} role="status">
                    {t('erasing', { user: end_user, moment: formatDateTime(before) })}
                  </p>
                ))}
                {isAdmin ? (
                  <>
                    <RetentionRules
                      key={`${retention.keep_days} ${retention.keep_megabytes} ${retention.keep_file_megabytes}`}
                      retention={retention}
                    />
                    <PurgeForm workspace={workspace} />
                  </>
                ) : (
                  <p>{t('adminOnly')}</p>
                )}
              </Fragment>
            ) : null
          }
        </ReadBoundary>
      </Stack>
    </Page>
  )
}

/** The limits by which the server deletes calls and refuses files. An empty field means no limit. */
function RetentionRules({ retention }: { retention: Retention }) {
  const t = useMessages(ledgerMessages)
  const write = useWrite(retentionEndpoints.updateRetention)
  const { keep_days, keep_megabytes, keep_file_megabytes } = retention
  const form = useContractForm({
    schema: retentionEndpoints.updateRetention.body,
    initialValues: { keep_days: keep_days ?? '', keep_megabytes: keep_megabytes ?? '', keep_file_megabytes } as Record<
      'keep_days' | 'keep_megabytes' | 'keep_file_megabytes',
      number | string
    >,
    toBody: ({ keep_days, keep_megabytes, keep_file_megabytes }) => ({
      keep_days: keep_days === '' ? null : keep_days,
      keep_megabytes: keep_megabytes === '' ? null : keep_megabytes,
      keep_file_megabytes,
    }),
    send: (body) => write.mutateAsync({ params: { workspace_id: retention.workspace }, body }),
  })
  return (
    <section>
      <SettingsTitle>{t('rules')}</SettingsTitle>
      <InlineForm
        form={form}
        label={t('rules')}
        layout="row"
        submitLabel={t('save')}
        isSubmitDisabled={!form.isDirty || form.form.getValues('keep_file_megabytes') === ''}
        action={t('saveWhat')}
      >
        <NumberInput
          {...form.controlled('keep_days')}
          label={t('days')}
          placeholder={t('unlimited')}
          min={1}
          max={3650}
          allowDecimal={false}
        />
        <NumberInput
          {...form.controlled('keep_megabytes')}
          label={t('megabytes')}
          placeholder={t('unlimited')}
          min={1}
          max={1_000_000}
          allowDecimal={false}
        />
        <NumberInput
          {...form.controlled('keep_file_megabytes')}
          label={t('fileMegabytes')}
          min={0}
          max={1_000_000}
          allowDecimal={false}
        />
      </InlineForm>
    </section>
  )
}

const SettingsTitle = ({ children }: { children: ReactNode }) => (
  <Text component="h2" mb="xs" fw={600}>
    {children}
  </Text>
)
