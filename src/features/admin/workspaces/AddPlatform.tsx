import { Button, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { type IgnoredLine, parseKeyLines } from '#domain/platformKeys/keyLines.ts'
import { useIsChanged } from '../../../components/hooks/useIsChanged.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { DetectedKeys, type NewKey } from './DetectedKeys.tsx'
import { workspaceMessages } from './messages.ts'
import classes from './Workspaces.module.css'
import type { KeyKind } from '#contract/endpoint.ts'
import type { Problem } from '#contract/problem.ts'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import { workspaceEndpoints, type Workspace } from '#contract/console/workspaces.ts'
import { useRead, useWrite } from '../../../client/query.ts'

/** Adds a platform from a URL and a list of keys: detects the kind of each key, a person confirms, then saves. */
export function AddPlatform(props: AddPlatformProps) {
  const { workspace, onClose } = props
  const t = useMessages(workspaceMessages)
  const platform = useAddPlatform(props)
  const { name, setName, base_url, changeBaseUrl, pastedKeys, keys, setKeys, confirmedKeys, createdWorkspaceId } =
    platform
  const isDirty = useIsChanged([name, base_url, pastedKeys])
  const { detection, detectKeys, save, isReady, problem, urlError, keyError, failed, twins } = platform
  return (
    <SideDrawer
      onClose={onClose}
      title={workspace ? t('addKeysTitle', { name: workspace.name }) : t('addTitle')}
      isDirty={isDirty}
    >
      <InlineForm
        form={{ submit: detectKeys, isPending: platform.isDetecting, isUnsaved: isDirty }}
        action={t('detectWhat')}
      >
        {workspace ? null : (
          <>
            <TextInput
              label={t('name')}
              description={t('nameHelp')}
              value={name}
              autoComplete="off"
              maxLength={80}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              label={t('baseUrl')}
              description={t('baseUrlHelp')}
              placeholder="https://platform.example/v1"
              value={base_url}
              autoComplete="off"
              error={urlError}
              disabled={createdWorkspaceId !== null}
              onChange={(event) => changeBaseUrl(event.currentTarget.value)}
            />
            {workspace || twins.length === 0 ? null : (
              <p className={fields.note} role="status">
                {t('samePlatform', { names: twins.map((one) => one.name).join(', ') })}
              </p>
            )}
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
          autoComplete="off"
          value={pastedKeys}
          error={
            keyError
              ? `${t('ending', { number: String(Number(keyError.path.split('.')[2]) + 1) })} ${keyError.message}`
              : null
          }
          onChange={(event) => platform.changePastedKeys(event.currentTarget.value)}
        />
        <IgnoredLines lines={platform.ignored} />
        {problem && !urlError && !keyError ? (
          <ProblemAlert problem={problem} action={t('detectWhat')} isInForm />
        ) : null}
        {detection && keys ? (
          <DetectedKeys
            base_url={detection.base_url}
            correctedFrom={platform.correctedFrom}
            version={detection.version}
            keys={keys}
            onChange={setKeys}
          />
        ) : null}
        {failed ? <ProblemAlert problem={failed} action={t('saveWhat')} isInForm /> : null}
        <div className={fields.buttons}>
          {detection ? (
            <Button disabled={!isReady} loading={platform.isSaving} onClick={() => void save()}>
              {t(workspace ? 'saveKeys' : 'save', { count: confirmedKeys.length })}
            </Button>
          ) : null}
          <Button
            type="submit"
            variant={detection ? 'default' : 'filled'}
            loading={platform.isDetecting}
            disabled={!base_url.trim()}
          >
            {t('detectKeys')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <p className={fields.note}>{t('detecting')}</p>
        </div>
      </InlineForm>
    </SideDrawer>
  )
}

/** Pasted lines that are not taken as keys, with the reason; never their values. */
function IgnoredLines({ lines }: { lines: readonly IgnoredLine[] }) {
  const t = useMessages(workspaceMessages)
  if (lines.length === 0) return null
  return (
    <div role="status">
      <Text c="var(--text-3)" fz="sm">
        {t('ignoredLines', { count: lines.length })}
      </Text>
      <Text component="ul" pl="lg" c="dimmed" fz="sm" style={{ listStyle: 'revert' }}>
        {lines.map(({ line, name, reason }) => (
          <li key={line}>
            {t('ignoredLine', { line: String(line), name: name ?? 'none', reason: t(`ignored_${reason}`) })}
          </li>
        ))}
      </Text>
    </div>
  )
}

const MAX_LABEL_CHARS = 80

interface AddPlatformProps {
  /** If given, keys are added to it. */
  workspace?: Workspace
  onClose: () => void
  /** Called with the id of a new workspace, in place of `onClose`. */
  onAdded?: (workspace_id: string) => void
}

/** The typed platform, its detection result, and the parts that are already saved. */
function useAddPlatform({ workspace, onClose, onAdded = onClose }: AddPlatformProps) {
  const t = useMessages(workspaceMessages)
  const detectPlatform = useWrite(workspaceAdminEndpoints.detectPlatform)
  const create = useWrite(workspaceAdminEndpoints.createWorkspace)
  const createKey = useWrite(workspaceAdminEndpoints.createKey)
  const [name, setName] = useState('')
  const [base_url, setBaseUrl] = useState(workspace?.base_url ?? '')
  const [pastedKeys, setPastedKeys] = useState('')
  const [keys, setKeys] = useState<NewKey[] | null>(null)
  /** What an interrupted save has created already. */
  const [createdWorkspaceId, setCreatedWorkspaceId] = useState<string | null>(workspace?.id ?? null)
  /** The URL as typed, where detection has corrected it. */
  const [correctedFrom, setCorrectedFrom] = useState<string | null>(null)
  const { keys: pasted, ignored, base_url: pastedUrl } = parseKeyLines(pastedKeys)

  const detectKeys = () => {
    create.reset()
    createKey.reset()
    detectPlatform.mutate(
      { body: { base_url, keys: pasted.map(({ secret }) => secret) } },
      {
        onSuccess: (detection) => {
          if (detection.problem) return setKeys(null)
          setCorrectedFrom(detection.base_url === base_url.trim() ? null : base_url)
          setBaseUrl(detection.base_url)
          setKeys(
            detection.keys.map((one, keyIndex) => ({
              secret: pasted[keyIndex]?.secret ?? '',
              detection: one,
              kind: one.kind,
              label: pasted[keyIndex]?.label?.slice(0, MAX_LABEL_CHARS) ?? one.name ?? (one.kind ? t(one.kind) : ''),
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
      if (workspace) onClose()
      else onAdded(id)
    } catch {
      // The form shows the problem; created records stay, and a retry continues from there.
    }
  }

  const workspaces = useRead(workspaceEndpoints.listWorkspaces, {}, { enabled: !workspace }).data?.data ?? []
  const twins = workspaces.filter((one) => one.id !== createdWorkspaceId && isSamePlatform(one.base_url, base_url))
  const confirmedKeys = (keys ?? []).filter(({ detection }) => !detection.problem)
  const isReady =
    confirmedKeys.every(({ kind, label }) => kind && label.trim()) &&
    (workspace ? confirmedKeys.length > 0 : name.trim())
  const problem: Problem | null | undefined = detectPlatform.error?.problem ?? detectPlatform.data?.problem
  const urlError = problem?.fields?.find(({ path }) => path === 'body.base_url')?.message
  const keyError = problem?.fields?.find(({ path }) => path.startsWith('body.keys'))
  const failed = create.error?.problem ?? createKey.error?.problem
  const isFresh = detectPlatform.isSuccess && !detectPlatform.data.problem && keys !== null
  return {
    name,
    setName,
    base_url,
    /** What was detected is that of the URL before. */
    changeBaseUrl: (url: string) => {
      setBaseUrl(url)
      setKeys(null)
    },
    pastedKeys,
    changePastedKeys: (text: string) => {
      setPastedKeys(text)
      setKeys(null)
      // An env file names the platform next to its keys.
      const url = parseKeyLines(text).base_url
      if (url !== null && (base_url.trim() === '' || base_url === pastedUrl) && !workspace) setBaseUrl(url)
    },
    ignored,
    correctedFrom,
    keys,
    setKeys,
    confirmedKeys,
    createdWorkspaceId,
    detection: isFresh ? detectPlatform.data : null,
    isDetecting: detectPlatform.isPending,
    detectKeys,
    save,
    isSaving: create.isPending || createKey.isPending,
    isReady,
    problem,
    urlError,
    keyError,
    failed,
    /** The workspaces that this platform has already. */
    twins,
  }
}

/** Compares URLs as the server stores them: without a slash at the end. */
function isSamePlatform(one: string, other: string): boolean {
  const normalize = (url: string) => (URL.canParse(url.trim()) ? new URL(url.trim()).href.replace(/\/+$/, '') : null)
  return normalize(one) !== null && normalize(one) === normalize(other)
}
