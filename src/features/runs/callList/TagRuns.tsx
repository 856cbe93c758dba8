import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { Button, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_RUN_TAGS } from '#contract/console/runs.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { CallListRow } from './callListRow.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'

/** Adds tags to the selected runs, or removes them. */
export function TagRuns({
  runs,
  workspace,
  onClose,
}: {
  runs: readonly CallListRow[]
  workspace: string
  onClose: () => void
}) {
  const t = useMessages(callListMessages)
  const [tags, setTags] = useState<string[]>([])
  const known = useRead(callEndpoints.listRunTags, { query: { workspace } })
  const write = useWrite(callEndpoints.tagRuns, { onDone: onClose })
  const send = (change: { add?: string[]; remove?: string[] }) =>
    write.mutate({ body: { run_ids: runs.map(({ id }) => id), add: [], remove: [], ...change } })
  return (
    <Dialog onClose={onClose} title={t('tag')}>
      <div className={classes.dialog}>
        <TagsInput
          label={t('tagName')}
          value={tags}
          onChange={setTags}
          data={known.data?.data.map(({ tag }) => tag) ?? []}
          maxTags={MAX_RUN_TAGS}
          acceptValueOnBlur
          data-autofocus
        />
        {write.error ? <ProblemAlert problem={write.error.problem} action={t('tagWhat')} /> : null}
        <div className={classes.buttons}>
          <Button disabled={tags.length === 0} loading={write.isPending} onClick={() => send({ add: tags })}>
            {t('addTags', { count: runs.length })}
          </Button>
          <Button variant="default" disabled={tags.length === 0} onClick={() => send({ remove: tags })}>
            {t('removeFrom', { count: runs.length })}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
