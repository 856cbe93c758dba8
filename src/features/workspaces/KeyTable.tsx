import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Key, Workspace } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { workspacesWords } from './messages.ts'
import { ReplaceKey } from './ReplaceKey.tsx'
import classes from './Workspaces.module.css'
import { useMay } from '../../wire/useMay.ts'

/** The keys of a workspace and how the platform took each of them last. */
export function KeyTable({ workspace, isAdmin }: { workspace: Workspace; isAdmin: boolean }) {
  const t = useWords(workspacesWords)
  const survey = useWrite(contract.console.surveyKey)
  const maySurvey = useMay()(contract.console.surveyKey)
  const remove = useWrite(contract.console.deleteKey)
  const [open, setOpen] = useState<{ deed: 'replace' | 'remove'; key: Key } | null>(null)
  const at = (key: Key) => ({ params: { workspace_id: workspace.id, key_id: key.id } })
  const asked = workspace.keys.find(({ id }) => id === survey.variables?.params.key_id)
  const columns: Column<Key>[] = [
    { head: t('label'), cell: ({ label }) => <b>{label}</b> },
    { head: t('kind'), cell: ({ kind }) => t(kind) },
    {
      head: t('ends'),
      mono: true,
      cell: ({ hint, usable }) =>
        usable ? hint ? t('endsWith', { hint }) : t('hidden') : <b className={classes.wrong}>{t('reenter')}</b>,
    },
    { head: t('lastSuccess'), cell: ({ last_ok_at }) => (last_ok_at ? <Since at={last_ok_at} ago /> : t('never')) },
    {
      head: t('lastRefusal'),
      cell: ({ last_problem_at, last_problem }) =>
        last_problem_at ? (
          <>
            <Since at={last_problem_at} ago />
            {last_problem ? <span className={classes.words}>{last_problem.message}</span> : null}
          </>
        ) : (
          t('never')
        ),
    },
    {
      head: t('latency'),
      number: true,
      cell: ({ latency_ms }) => (latency_ms === null ? null : t('milliseconds', { value: latency_ms })),
    },
    {
      head: t('offers'),
      grow: true,
      cell: ({ offers }) => (
        <Tooltip label={offers.join(', ') || t('offersCount', { count: 0 })}>
          <span tabIndex={0}>{t('offersCount', { count: offers.length })}</span>
        </Tooltip>
      ),
    },
    ...(maySurvey
      ? [
          {
            head: t('deeds'),
            cell: (key: Key) => (
              <span className={classes.row}>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`${t('test')}: ${key.label}`}
                  loading={survey.isPending && asked?.id === key.id}
                  onClick={() => survey.mutate(at(key))}
                >
                  {t('test')}
                </Button>
                {isAdmin && !workspace.builtin ? (
                  <>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`${t('replace')}: ${key.label}`}
                      onClick={() => setOpen({ deed: 'replace', key })}
                    >
                      {t('replace')}
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="gray"
                      aria-label={`${t('remove')}: ${key.label}`}
                      onClick={() => setOpen({ deed: 'remove', key })}
                    >
                      {t('remove')}
                    </Button>
                  </>
                ) : null}
              </span>
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Table
        label={t('keysOf', { name: workspace.name })}
        columns={columns}
        rows={workspace.keys}
        keyOf={({ id }) => id}
      />
      {survey.error && asked ? (
        <ProblemNote problem={survey.error.problem} what={t('testWhat', { label: asked.label })} />
      ) : null}
      {open?.deed === 'replace' ? (
        <ReplaceKey workspace={workspace} replaced={open.key} onClose={() => setOpen(null)} />
      ) : null}
      {open?.deed === 'remove' ? (
        <DeleteDialog
          title={t('removeTitle', { label: open.key.label })}
          deed={t('removeDo')}
          keep={t('keep')}
          what={t('removeWhat')}
          isPending={remove.isPending}
          problem={remove.error?.problem}
          onDelete={() => remove.mutate(at(open.key), { onSuccess: () => setOpen(null) })}
          onClose={() => setOpen(null)}
        >
          {t('removeText')}
        </DeleteDialog>
      ) : null}
    </>
  )
}
