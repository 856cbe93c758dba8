import { NativeSelect } from '@mantine/core'
import { TEXT_ENCODINGS, type TextEncoding } from '#domain/text/decodeText.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { encodingMessages, useEncodingLabel } from './useEncodingLabel.ts'

/** The encoding in which a file was read; another one reads it again. */
export function EncodingSelect({
  value,
  onChange,
}: {
  value: TextEncoding
  onChange: (encoding: TextEncoding) => void
}) {
  const t = useMessages(encodingMessages)
  const toLabel = useEncodingLabel()
  return (
    <NativeSelect
      aria-label={t('encoding')}
      value={value}
      data={[...new Set([...TEXT_ENCODINGS, value])].map((encoding) => ({
        value: encoding,
        label: toLabel(encoding),
      }))}
      onChange={(event) => onChange(event.currentTarget.value as TextEncoding)}
    />
  )
}
