import { accessEndpoints } from '#contract/console/access.ts'
import { paths } from '#domain/paths.ts'
import { useWrite } from './query.ts'
import { deleteTabDrafts } from './tabDrafts.ts'

/** Signs out, deletes the drafts of this tab, and navigates to the OpenID provider's sign-out, or to the sign-in page. */
export function useSignOut(signInPage = paths.signIn(), leaveTo = (url: string) => location.assign(url)): () => void {
  const leave = (url: string) => {
    deleteTabDrafts()
    leaveTo(url)
  }
  // The invalidation after `onDone` may unmount the component, and with it what `mutate` would call.
  const signOut = useWrite(accessEndpoints.signOut, { onDone: (reply) => leave(reply.provider_url ?? signInPage) })
  return () => signOut.mutate({}, { onError: () => leave(signInPage) })
}
