import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'

/** Only where the person may rename the conversation. */
export const LazyRenameForm = lazyWithPreload(async () => (await import('./RenameForm.tsx')).RenameForm)
