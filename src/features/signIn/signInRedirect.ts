import { paths } from '#domain/paths.ts'

/** Where to go after signing in: the page that was wanted if it is one of ours, else the chat. */
export function getSignInRedirect(next: string | null): string {
  // Browsers read `/\host` and `//host` as another host.
  return next && /^\/(?![/\\])[^\u0000-\u001f]*$/.test(next) && !next.startsWith('/sign-in') ? next : paths.chat()
}
