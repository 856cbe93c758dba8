import { Box, Button, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { runMessages } from './messages.ts'
import { usePermission } from '../../../client/usePermission.ts'

export interface AdoptRunProps {
  /** The workflow apps whose keys can read it. */
  apps: readonly Key[]
  workspace: string
  /** The id, if known already. */
  initial?: string
}

/** Imports a workflow run that was started outside this console, by its workflow_run_id, and opens it. */
export function AdoptRun({ apps, workspace, initial = '' }: AdoptRunProps) {
  const t = useMessages(runMessages)
  const navigate = useNavigate()
  const write = useWrite(runInsightEndpoints.adoptRun)
  const canAdopt = usePermission()(runInsightEndpoints.adoptRun)
  const form = useContractForm({
    schema: runInsightEndpoints.adoptRun.body,
    initialValues: { key: apps[0]?.id ?? '', workflow_run_id: initial },
    toBody: ({ key, workflow_run_id }) => ({ key, workflow_run_id: workflow_run_id.trim().toLowerCase() }),
    send: (body) => write.mutateAsync({ body }),
    onDone: (run) => void navigate(paths.run(run.id, { workspace })),
  })
  const { problem } = form
  const upstream = problem?.upstream
  const id = form.field('workflow_run_id')
  if (apps.length === 0 || !canAdopt) return null
  return (
    <Box maw={640}>
      <InlineForm form={{ ...form, problem: null }} layout="row" label={t('loadRunById')} action={t('loadThisRun')}>
        {apps.length > 1 ? (
          <NativeSelect
            {...form.field('key')}
            label={null}
            aria-label={t('app')}
            data={apps.map(({ id: value, label }) => ({ value, label }))}
          />
        ) : null}
        <TextInput
          {...id}
          flex="1 1 310px"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          label={null}
          aria-label={t('adoptId')}
          placeholder={t('adoptId')}
          error={id.error && t('adoptNoId')}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default" loading={form.isPending}>
          {t('adoptRead')}
        </Button>
      </InlineForm>
      {problem ? <ProblemAlert problem={problem} {...getProblemTitle()} /> : null}
    </Box>
  )

  function getProblemTitle(): { what?: string; title?: string } {
    const code = (upstream?.body as { code?: unknown } | null | undefined)?.code
    if (upstream?.status === 404) return { title: t('adoptUnknown') }
    if (upstream?.status === 200 && problem?.kind === 'refused') return { title: t('adoptBlank') }
    if (code === 'not_workflow_app') return { title: t('notWorkflow') }
    return { what: t('loadThisRun') }
  }
}
