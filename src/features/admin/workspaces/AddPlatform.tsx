import { Button, Drawer, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Workspace } from '#contract/console/consoleEndpoints.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import fields from '../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { DetectedKeys, type NewKey } from './DetectedKeys.tsx'
import { workspaceMessages } from './messages.ts'
import classes from './Workspaces.module.css'

export interface AddPlatformProps {
  /** Where given, keys are added to it. */
  workspace?: Workspace
  onClose: () => void
}

/** An address and a heap of keys: the platform is asked what they are, a person confirms, and they are kept. */
export function AddPlatform({ workspace, onClose }: AddPlatformProps) {
  const t = useMessages(workspaceMessages)
  const detectPlatform = useWrite(contract.console.detectPlatform)
  const create = useWrite(contract.console.createWorkspace)
  const createKey = useWrite(contract.console.createKey)
  const [name, setName] = useState('')
  const [base_url, setBaseUrl] = useState(workspace?.base_url ?? '')
  const [pastedKeys, setPastedKeys] = useState('')
  const [keys, setKeys] = useState<NewKey[] | null>(null)
  /** What a save that stopped half way has made already. */
  const [createdWorkspaceId, setCreatedWorkspaceId] = useState<string | null>(workspace?.id ?? null)
  const lines = pastedKeys
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

  const detectKeys = (event: FormEvent) => {
    event.preventDefault()
    create.reset()
    createKey.reset()
    detectPlatform.mutate(
      { body: { base_url, keys: lines } },
      {
        onSuccess: (detection) => {
          if (detection.problem) return setKeys(null)
          setBaseUrl(detection.base_url)
          setKeys(
            detection.keys.map((one, keyIndex) => ({
              secret: lines[keyIndex] ?? '',
              detection: one,
              kind: one.kind,
              label: one.name ?? (one.kind ? t(one.kind) : ''),
            })),
          )
        },
      },
    )
  }
  const save = async () => {
    try {
      const id = createdWorkspaceId ?? (await create.mutateAsync({ body: { name, base_url } })).id
      setCreatedWorkspaceId(id)
      let left = keys ?? []
      for (const { secret, kind, label } of confirmedKeys) {
        await createKey.mutateAsync({
          params: { workspace_id: id },
          body: { kind: kind as KeyKind, label: label.trim(), key: secret },
        })
        left = left.filter((one) => one.secret !== secret)
        setKeys(left)
      }
      onClose()
    } catch {
      // The form shows the problem; what is made stays made, and the next try goes on from there.
    }
  }

  const confirmedKeys = (keys ?? []).filter(({ detection }) => !detection.problem)
  const isReady =
    confirmedKeys.every(({ kind, label }) => kind && label.trim()) &&
    (workspace ? confirmedKeys.length > 0 : name.trim())
  const problem: Problem | null | undefined = detectPlatform.error?.problem ?? detectPlatform.data?.problem
  const urlError = problem?.fields?.find(({ path }) => path === 'body.base_url')?.message
  const keyError = problem?.fields?.find(({ path }) => path.startsWith('body.keys'))
  const failed = create.error?.problem ?? createKey.error?.problem
  const isFresh = detectPlatform.isSuccess && !detectPlatform.data.problem && keys !== null
  return (
    <Drawer
      opened
      onClose={onClose}
      title={workspace ? t('addKeysTitle', { name: workspace.name }) : t('addTitle')}
      size={560}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className={fields.form} onSubmit={detectKeys} noValidate autoComplete="off">
        {workspace ? null : (
          <>
            <TextInput
              label={t('name')}
              description={t('nameHelp')}
              value={name}
              maxLength={80}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              label={t('baseUrl')}
              description={t('baseUrlHelp')}
              placeholder="https://platform.example/v1"
              value={base_url}
              error={urlError}
              disabled={createdWorkspaceId !== null}
              onChange={(event) => setBaseUrl(event.currentTarget.value)}
            />
          </>
        )}
        <Textarea
          className={classes.secret}
          label={t('keys')}
          description={t('keysHelp')}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          value={pastedKeys}
          error={
            keyError
              ? `${t('ending', { number: String(Number(keyError.path.split('.')[2]) + 1) })} ${keyError.message}`
              : null
          }
          onChange={(event) => {
            setPastedKeys(event.currentTarget.value)
            setKeys(null)
          }}
        />
        {problem && !urlError && !keyError ? (
          <ProblemAlert problem={problem} action={t('detectWhat')} isInForm />
        ) : null}
        {isFresh ? (
          <DetectedKeys
            base_url={detectPlatform.data.base_url}
            version={detectPlatform.data.version}
            keys={keys}
            onChange={setKeys}
          />
        ) : null}
        {failed ? <ProblemAlert problem={failed} action={t('saveWhat')} isInForm /> : null}
        <div className={fields.buttons}>
          {isFresh ? (
            <Button disabled={!isReady} loading={create.isPending || createKey.isPending} onClick={() => void save()}>
              {t(workspace ? 'saveKeys' : 'save', { count: confirmedKeys.length })}
            </Button>
          ) : null}
          <Button
            type="submit"
            variant={isFresh ? 'default' : 'filled'}
            loading={detectPlatform.isPending}
            disabled={!base_url.trim()}
          >
            {t('detectKeys')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <p className={fields.note}>{t('detecting')}</p>
        </div>
      </form>
    </Drawer>
  )
}
