import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { METADATA_TYPES, type MetadataType } from '#contract/platform/schemas.ts'
import { optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useWrite } from '../../../client/query.ts'
import { metadataMessages } from './messages.ts'
import classes from './Metadata.module.css'

/** A new metadata field: its name and its type, which is final. */
export function AddMetadataField({ dataset_id, keyId }: { dataset_id: string; keyId: string }) {
  const t = useMessages(metadataMessages)
  const add = useWrite(optionalMetadataEndpoints.createMetadata)
  const [name, setName] = useState('')
  const [type, setType] = useState<MetadataType>('string')
  const [isNameMissing, setNameMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setNameMissing(name.trim() === '')
    if (name.trim() === '') return
    add.mutate(
      { key: keyId, params: { dataset_id }, body: { name: name.trim(), type } },
      { onSuccess: () => setName('') },
    )
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.add}>
        <TextInput
          aria-label={t('fieldName')}
          placeholder={t('name')}
          value={name}
          maxLength={255}
          error={isNameMissing ? t('nameNeeded') : undefined}
          onChange={(event) => {
            setNameMissing(false)
            setName(event.currentTarget.value)
          }}
        />
        <NativeSelect
          aria-label={t('fieldType')}
          value={type}
          onChange={(event) => setType(METADATA_TYPES.find((one) => one === event.currentTarget.value) ?? 'string')}
          data={METADATA_TYPES.map((one) => ({ value: one, label: `${t(`types.${one}`)} (${one})` }))}
        />
        <Button type="submit" variant="default" leftSection={<IconPlus size={14} />} loading={add.isPending}>
          {t('add')}
        </Button>
      </div>
      {add.error ? <ProblemAlert problem={add.error.problem} action={t('addWhat')} isInForm /> : null}
    </form>
  )
}
