import { Box, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Webhook, type WebhookDelivery, webhookEndpoints } from '#contract/console/webhooks.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { OneTimeSecret } from '../../../components/overlays/OneTimeSecret.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { webhookMessages } from './messages.ts'
import classes from './Workspaces.module.css'

/** Poll interval (ms) of the last delivery, while the section is open. */
const WEBHOOK_POLL_INTERVAL_MS = 5_000

/** The webhook of a workspace, for admins: set, test, replace, delete. Its URL and secret are never shown again. */
export function WebhookPanel({ workspace }: { workspace: Workspace }) {
  const t = useMessages(webhookMessages)
  const params = { workspace_id: workspace.id }
  const [isOpen, setOpen] = useState(false)
  const read = useRead(
    webhookEndpoints.readWebhook,
    { params },
    { enabled: isOpen, pollIntervalMs: WEBHOOK_POLL_INTERVAL_MS },
  )
  const [mode, setMode] = useState<'show' | 'edit'>('show')
  const [createdSecret, setCreatedSecret] = useState<string | null>(null)
  const test = useWrite(webhookEndpoints.testWebhook)
  const remove = useWrite(webhookEndpoints.deleteWebhook, { onDone: () => setCreatedSecret(null) })
  const openDelete = useDeleteDialog()
  const askDelete = () =>
    openDelete({
      title: t('removeWebhookTitle', { name: workspace.name }),
      lost: [t('removeWebhookLost')],
      kept: [t('removeWebhookKept')],
      confirmLabel: t('removeWebhook'),
      cancelLabel: t('cancel'),
      action: t('removeWebhookWhat'),
      run: () => remove.mutateAsync({ params }),
    })
  return (
    <details className={classes.fold} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('webhook')}</summary>
      <Text c="var(--text-3)" fz="sm">
        {t('webhookWhy')}
      </Text>
      {createdSecret === null ? null : (
        <div role="status">
          <Text c="var(--text-3)" fz="sm">
            {t('secretOnce')}
          </Text>
          <OneTimeSecret label={t('secret')} value={createdSecret}>
            <Button variant="default" onClick={() => setCreatedSecret(null)}>
              {t('secretStored')}
            </Button>
          </OneTimeSecret>
        </div>
      )}
      <ReadBoundary read={read} action={t('readWhat')} loading={null}>
        {({ webhook }) => (
          <>
            {webhook && mode !== 'edit' ? (
              <>
                <WebhookState webhook={webhook} />
                {test.error ? <ProblemAlert problem={test.error.problem} action={t('testWhat')} /> : null}
                <Group gap="sm">
                  <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ params })}>
                    {t('sendTest')}
                  </Button>
                  <Button variant="default" onClick={() => setMode('edit')}>
                    {t('replaceWebhook')}
                  </Button>
                  <Button variant="subtle" color="gray" onClick={askDelete}>
                    {t('removeWebhook')}
                  </Button>
                </Group>
              </>
            ) : null}
            {mode === 'edit' || (!webhook && createdSecret === null) ? (
              <WebhookForm
                workspace={workspace}
                onSaved={(secret) => {
                  setCreatedSecret(secret)
                  setMode('show')
                  test.reset()
                }}
                onCancel={webhook ? () => setMode('show') : null}
              />
            ) : null}
          </>
        )}
      </ReadBoundary>
    </details>
  )
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const t = useMessages(webhookMessages)
  const { origin, updated_at, last_delivery } = webhook
  return (
    <Stack gap="xs" mt="sm" c="var(--text-3)" fz="sm">
      <p>
        {t.rich('sendsTo', { origin, code: (text) => <code>{text}</code>, at: () => <RelativeTime at={updated_at} /> })}
      </p>
      <p role="status">{last_delivery ? <DeliveryText delivery={last_delivery} /> : t('noDelivery')}</p>
    </Stack>
  )
}

function DeliveryText({ delivery }: { delivery: WebhookDelivery }) {
  const t = useMessages(webhookMessages)
  const { state, event, attempts, problem, attempted_at, next_attempt_at } = delivery
  return t.rich(`delivery_${state}`, {
    event,
    attempts,
    problem: problem ?? '',
    code: (text) => <code>{text}</code>,
    at: () => <RelativeTime at={attempted_at} />,
    next: () => <RelativeTime at={next_attempt_at} />,
  })
}

interface WebhookFormProps {
  workspace: Workspace
  /** Called with the secret that the server created; null for a given one. */
  onSaved: (secret: string | null) => void
  onCancel: (() => void) | null
}

function WebhookForm({ workspace, onSaved, onCancel }: WebhookFormProps) {
  const t = useMessages(webhookMessages)
  // The saved webhook replaces this form, maybe before the request has resolved; the secret is shown in any case.
  const update = useWrite(webhookEndpoints.updateWebhook, { onDone: ({ secret }) => onSaved(secret) })
  const form = useContractForm({
    schema: webhookEndpoints.updateWebhook.body,
    initialValues: { url: '', secret: '' },
    toBody: ({ url, secret }) => ({ url, ...(secret === '' ? {} : { secret }) }),
    send: (body) => update.mutateAsync({ params: { workspace_id: workspace.id }, body }),
  })
  return (
    <Box maw={560} mt="sm">
      <InlineForm form={form} action={t('saveWebhookWhat')}>
        <TextInput {...form.field('url')} label={t('url')} description={t('urlHelp')} type="url" autoComplete="off" />
        <PasswordInput {...form.field('secret')} label={t('secret')} description={t('secretHelp')} autoComplete="off" />
        <Group gap="sm">
          <Button type="submit" loading={form.isPending}>
            {t('saveWebhook')}
          </Button>
          {onCancel ? (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          ) : null}
        </Group>
      </InlineForm>
    </Box>
  )
}
