import { Button, Drawer, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Workspace } from '#contract/console.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { FoundKeys, type NewKey } from './FoundKeys.tsx'
import { workspacesWords } from './messages.ts'
import classes from './Workspaces.module.css'

export interface AddPlatformProps {
  /** Where given, keys are added to it. */
  workspace?: Workspace
  onClose: () => void
}

/** An address and a heap of keys: the platform is asked what they are, a person confirms, and they are kept. */
export function AddPlatform({ workspace, onClose }: AddPlatformProps) {
  const t = useWords(workspacesWords)
  const ask = useWrite(contract.console.inquire)
  const create = useWrite(contract.console.createWorkspace)
  const createKey = useWrite(contract.console.createKey)
  const [name, setName] = useState('')
  const [base_url, setBaseUrl] = useState(workspace?.base_url ?? '')
  const [pasted, setPasted] = useState('')
  const [keys, setKeys] = useState<NewKey[] | null>(null)
  /** What a save that stopped half way has made already. */
  const [made, setMade] = useState<string | null>(workspace?.id ?? null)
  const lines = pasted
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

  const look = (event: FormEvent) => {
    event.preventDefault()
    create.reset()
    createKey.reset()
    ask.mutate(
      { body: { base_url, keys: lines } },
      {
        onSuccess: (found) => {
          if (found.problem) return setKeys(null)
          setBaseUrl(found.base_url)
          setKeys(
            found.keys.map((one, at) => ({
              secret: lines[at] ?? '',
              found: one,
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
      const id = made ?? (await create.mutateAsync({ body: { name, base_url } })).id
      setMade(id)
      let left = keys ?? []
      for (const { secret, kind, label } of wanted) {
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

  const wanted = (keys ?? []).filter(({ found }) => !found.problem)
  const isReady =
    wanted.every(({ kind, label }) => kind && label.trim()) && (workspace ? wanted.length > 0 : name.trim())
  const problem: Problem | null | undefined = ask.error?.problem ?? ask.data?.problem
  const wrongUrl = problem?.fields?.find(({ path }) => path === 'body.base_url')?.message
  const wrongKey = problem?.fields?.find(({ path }) => path.startsWith('body.keys'))
  const failed = create.error?.problem ?? createKey.error?.problem
  const isFresh = ask.isSuccess && !ask.data.problem && keys !== null
  return (
    <Drawer
      opened
      onClose={onClose}
      title={workspace ? t('addKeysTitle', { name: workspace.name }) : t('addTitle')}
      size={560}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className={fields.form} onSubmit={look} noValidate autoComplete="off">
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
              error={wrongUrl}
              disabled={made !== null}
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
          value={pasted}
          error={
            wrongKey
              ? `${t('ending', { number: String(Number(wrongKey.path.split('.')[2]) + 1) })} ${wrongKey.message}`
              : null
          }
          onChange={(event) => {
            setPasted(event.currentTarget.value)
            setKeys(null)
          }}
        />
        {problem && !wrongUrl && !wrongKey ? <ProblemNote problem={problem} what={t('lookWhat')} isAtForm /> : null}
        {isFresh ? (
          <FoundKeys base_url={ask.data.base_url} version={ask.data.version} keys={keys} onChange={setKeys} />
        ) : null}
        {failed ? <ProblemNote problem={failed} what={t('saveWhat')} isAtForm /> : null}
        <div className={fields.buttons}>
          {isFresh ? (
            <Button disabled={!isReady} loading={create.isPending || createKey.isPending} onClick={() => void save()}>
              {t(workspace ? 'saveKeys' : 'save', { count: wanted.length })}
            </Button>
          ) : null}
          <Button
            type="submit"
            variant={isFresh ? 'default' : 'filled'}
            loading={ask.isPending}
            disabled={!base_url.trim()}
          >
            {t('look')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <p className={fields.note}>{t('looking')}</p>
        </div>
      </form>
    </Drawer>
  )
}
