import { NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { SUITE_TARGETS, type SuiteTarget, suiteEndpoints } from '#contract/console/suites.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { useWrite } from '../../client/query.ts'
import { Dialog } from '../../components/overlays/Dialog.tsx'
import fields from '../../components/forms/Fields.module.css'
import { useWhileMounted } from '../../components/hooks/useWhileMounted.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { suiteMessages } from './messages.ts'
import { SaveButtons } from './SaveButtons.tsx'

/** A suite of an app. That of a dataset begins in its retrieval test. */
export function NewSuite({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const t = useMessages(suiteMessages)
  const navigate = useNavigate()
  const whileMounted = useWhileMounted()
  const apps = listApps(workspace)
  const [about, setAbout] = useState(apps[0]?.id ?? '')
  const [name, setName] = useState('')
  const create = useWrite(suiteEndpoints.createSuite, {
    onDone: whileMounted(({ id }) => void navigate(paths.suite(id, { workspace: workspace.id }))),
  })
  const app = apps.find(({ id }) => id === about)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (app) create.mutate({ body: { workspace: workspace.id, name: name.trim(), target: app.kind, about } })
  }
  return (
    <Dialog onClose={onClose} title={t('newSuite')}>
      <form onSubmit={submit} className={fields.form}>
        <NativeSelect
          label={t('app')}
          description={t('newSuiteHelp')}
          value={about}
          data={apps.map(({ id, label, kind }) => ({
            value: id,
            label: t('appOfKind', { label, kind: t(`targets.${kind}`) }),
          }))}
          onChange={(event) => setAbout(event.currentTarget.value)}
        />
        <TextInput
          label={t('name')}
          value={name}
          maxLength={120}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {create.error ? <ProblemAlert problem={create.error.problem} action={t('createWhat')} isInForm /> : null}
        <SaveButtons
          entry={suiteEndpoints.createSuite}
          label={t('createSuite')}
          isPending={create.isPending}
          isDisabled={!app || name.trim() === ''}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}

/** The keys of a workspace that a suite may be about. */
export const listApps = ({ keys }: Workspace) =>
  keys.flatMap(({ id, label, kind }) => {
    const target = SUITE_TARGETS.find((one): one is Exclude<SuiteTarget, 'retrieval'> => one === kind)
    return target ? [{ id, label, kind: target }] : []
  })
