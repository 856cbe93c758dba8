import { useMemo } from 'react'
import { isPlatformFile, linkedFilePath, toLinkedFileUrl } from '#contract/console/files/linkedFile.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { useRead } from '../../../client/query.ts'
import type { AnswerFileSource } from '../../../components/markdown/answerContext.ts'
import { isTurnOver, type Turn } from '../turn.ts'

/**
 * How the pictures and files of an answer are loaded through the server. Null while the answer grows: the server gives
 * out what the stored answer names.
 */
export function useAnswerFileSource(turn: Turn, workspace: string | null): AnswerFileSource | null {
  const { run_id } = turn
  const workspaces = useRead(workspaceEndpoints.listWorkspaces, {}, { enabled: workspace !== null })
  const base_url = workspaces.data?.data.find(({ id }) => id === workspace)?.base_url ?? null
  const isStored = isTurnOver(turn) && turn.state !== 'unsent'
  return useMemo(() => {
    if (base_url === null || !isStored) return null
    return {
      toUrl: (given) => toLinkedFileUrl(given, base_url),
      isTrusted: (url) => isPlatformFile(url, base_url),
      toPath: (url, download) => linkedFilePath({ run_id, url, ...(download === undefined ? {} : { download }) }),
    }
  }, [base_url, isStored, run_id])
}
