import '@mantine/dropzone/styles.css'
import { Button, Textarea } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
import classes from './FileOrTextInput.module.css'

interface FileOrTextInputProps {
  labels: { drop: string; paste: string; usePasted: string }
  placeholder?: string
  /** The text in the field for pasting. */
  pasted: string
  onPasted: (text: string) => void
  onFile: (file: File) => void
  onText: (text: string) => void
}

/** A longer pasted text is not shown in the text field. */
const MAX_PASTE_FIELD_CHARS = 50_000

/** Takes the rows of a table: as a file, or as a text. */
export function FileOrTextInput({ labels, placeholder, pasted, onPasted, onFile, onText }: FileOrTextInputProps) {
  return (
    <>
      <Dropzone
        multiple={false}
        className={classes.drop}
        inputProps={{ 'aria-label': labels.drop }}
        onDrop={([file]: File[]) => {
          if (file) onFile(file)
        }}
      >
        <IconUpload size={18} aria-hidden="true" />
        <span>{labels.drop}</span>
      </Dropzone>
      <Textarea
        label={labels.paste}
        placeholder={placeholder}
        value={pasted}
        onChange={(event) => onPasted(event.currentTarget.value)}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          // A text field of that length would freeze the page; parse it directly instead.
          if (text.length < MAX_PASTE_FIELD_CHARS || pasted !== '') return
          event.preventDefault()
          onText(text)
        }}
        minRows={3}
        maxRows={8}
        autosize
        spellCheck={false}
        classNames={{ input: classes.pasted }}
      />
      <div>
        <Button variant="default" disabled={pasted.trim() === ''} onClick={() => onText(pasted)}>
          {labels.usePasted}
        </Button>
      </div>
    </>
  )
}
