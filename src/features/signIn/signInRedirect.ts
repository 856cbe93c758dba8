import { paths } from '#domain/paths.ts'

/** The destination after signing in: the requested page if it is same-origin, else Home. */
export function getSignInRedirect(next: string | null): string {
  // Browsers read `/\host` and `//host` as another host.
  return next && /^\/(?![/\\])[^\u0000-\u001f]*$/.test(next) && !next.startsWith('/sign-in') ? next : paths.home()
}
