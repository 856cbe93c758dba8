import { type FormEvent, useState } from 'react'
import type { KeyKind } from '#contract/endpoint.ts'
import type { Problem } from '#contract/problem.ts'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import { workspaceEndpoints, type Workspace } from '#contract/console/workspaces.ts'
import { parseKeyLines } from '#domain/platformKeys/keyLines.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import type { NewKey } from './DetectedKeys.tsx'
import { workspaceMessages } from './messages.ts'

const MAX_LABEL_CHARS = 80

export interface AddPlatformProps {
  /** If given, keys are added to it. */
  workspace?: Workspace
  onClose: () => void
  /** Called with the id of a new workspace, in place of `onClose`. */
  onAdded?: (workspace_id: string) => void
}

/** The typed platform, its detection result, and the parts that are already saved. */
export function useAddPlatform({ workspace, onClose, onAdded = onClose }: AddPlatformProps) {
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

  const detectKeys = (event: FormEvent) => {
    event.preventDefault()
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
      // An env file names the platform beside its keys.
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
