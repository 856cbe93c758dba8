import { contract } from '#contract/index.ts'
import { useWrite } from './query.ts'

/** Signs out, deletes the drafts of this tab, and calls back. */
export function useSignOut(onLeft: () => void): () => void {
  const signOut = useWrite(contract.console.signOut)
  return () =>
    signOut.mutate(
      {},
      {
        onSettled: () => {
          sessionStorage.clear()
          onLeft()
        },
      },
    )
}
