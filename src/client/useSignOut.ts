import { contract } from '#contract/index.ts'
import { useWrite } from './query.ts'

/** Ends the session, forgets what was typed in this tab and not sent, and calls back. */
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
