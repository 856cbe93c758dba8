import { Button, Drawer } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { DatasetCreate } from '#contract/datasets.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWrite } from '../../wire/query.ts'
import { DatasetFields } from './DatasetFields.tsx'
import { bodyOf, emptyDataset } from './typed.ts'

export interface CreateDatasetProps {
  opened: boolean
  onClose: () => void
  workspace: string
  /** The knowledge key; undefined where the workspace has none. */
  keyId: string | undefined
}

/** Operation 1. What was typed stays while the page does, whatever the platform says and whether the drawer is open. */
export function CreateDataset({ opened, onClose, workspace, keyId }: CreateDatasetProps) {
  const t = useTranslations('datasets')
  const navigate = useNavigate()
  const create = useWrite(contract.datasets.create)
  const form = useForm({ defaultValues: emptyDataset, resolver: resolverOf(DatasetCreate, bodyOf) })
  const submit = form.handleSubmit((body) =>
    create.mutate({ key: keyId, body }, { onSuccess: ({ id }) => void navigate(paths.dataset(id, { workspace })) }),
  )
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('createTitle')}
      size={520}
      keepMounted
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className={fields.form} onSubmit={(event) => void submit(event)} noValidate>
        <DatasetFields form={form} />
        {create.error ? <ProblemNote problem={create.error.problem} what={t('createWhat')} /> : null}
        {keyId ? null : <p className={fields.note}>{t('noKey')}</p>}
        <div className={fields.buttons}>
          <Button type="submit" loading={create.isPending} disabled={!keyId}>
            {t('createDo')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Drawer>
  )
}
