import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
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

/** Imports a workflow run that started elsewhere by its workflow_run_id, stores it, and opens it. */
export function AdoptRun({ apps, workspace, initial = '' }: AdoptRunProps) {
  const t = useMessages(runMessages)
  const navigate = useNavigate()
  const write = useWrite(runInsightEndpoints.adoptRun)
  const canAdopt = usePermission()(runInsightEndpoints.adoptRun)
  const [isNoId, setNoId] = useState(false)
  const problem = write.error?.problem
  const upstream = problem?.upstream
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const id = Id.safeParse(String(form.get('id')).trim())
    setNoId(!id.success)
    if (!id.success) return
    write.mutate(
      { body: { key: String(form.get('app') ?? apps[0]?.id), workflow_run_id: id.data.toLowerCase() } },
      { onSuccess: (run) => void navigate(paths.run(run.id, { workspace })) },
    )
  }
  if (apps.length === 0) return null
  if (!canAdopt) return null
  return (
    <form aria-label={t('loadRunById')} onSubmit={submit} noValidate>
      <Group gap="sm" align="flex-start" maw={640}>
        {apps.length > 1 ? (
          <NativeSelect name="app" aria-label={t('app')} data={apps.map(({ id, label }) => ({ value: id, label }))} />
        ) : null}
        <TextInput
          name="id"
          flex="1 1 310px"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          aria-label={t('adoptId')}
          placeholder={t('adoptId')}
          defaultValue={initial}
          error={isNoId ? t('adoptNoId') : undefined}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default" loading={write.isPending}>
          {t('adoptRead')}
        </Button>
      </Group>
      {problem ? <ProblemAlert problem={problem} {...getProblemTitle()} /> : null}
    </form>
  )

  function getProblemTitle(): { what?: string; title?: string } {
    const code = (upstream?.body as { code?: unknown } | null | undefined)?.code
    if (upstream?.status === 404) return { title: t('adoptUnknown') }
    if (upstream?.status === 200 && problem?.kind === 'refused') return { title: t('adoptBlank') }
    if (code === 'not_workflow_app') return { title: t('notWorkflow') }
    return { what: t('loadThisRun') }
  }
}
