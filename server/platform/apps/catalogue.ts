import { PlatformError } from '../errors.ts'
import type { PlatformKey } from '../keys.ts'
import { chatApp, completionApp } from './definition.ts'

/** All applications that the platform ships. */
export const APPS = [chatApp, completionApp]

/** @throws PlatformError 400 when a key opens an application that this version does not have */
export function findApp({ app }: PlatformKey): (typeof APPS)[number] {
  const found = APPS.find(({ id }) => id === app)
  if (!found) throw new PlatformError(400, 'app_unavailable', 'The application of this key is not available.')
  return found
}
