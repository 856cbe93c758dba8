/** Where an export goes, part by part. */
export interface FileSink {
  write: (text: string) => Promise<void>
  /** Ends the file, and gives it to the person where the browser could not write it as it came. */
  close: () => Promise<void>
  /** Gives up what was begun. */
  abort: () => Promise<void>
}

interface WritableFile {
  write: (text: string) => Promise<void>
  close: () => Promise<void>
  abort: () => Promise<void>
}
type SaveFilePicker = (options: { suggestedName: string }) => Promise<{ createWritable: () => Promise<WritableFile> }>

const BLOB_PART_BYTES = 1024 * 1024

/**
 * A file on the person's disk, written as it comes where the browser can (the picker asks where); elsewhere it is gathered
 * in parts of a megabyte that the browser may put on disk, and offered at the end.
 * @throws DOMException `AbortError` where the person chooses no place.
 */
export async function openFileSink(name: string, type: string): Promise<FileSink> {
  const picker = (globalThis as unknown as { showSaveFilePicker?: SaveFilePicker }).showSaveFilePicker
  if (picker) return (await picker({ suggestedName: name })).createWritable()
  return createBlobSink(name, type)
}

function createBlobSink(name: string, type: string): FileSink {
  let parts: Blob[] = []
  let open = ''
  const flushParts = () => {
    parts.push(new Blob([open]))
    open = ''
  }
  return {
    write: (text) => {
      open += text
      if (open.length > BLOB_PART_BYTES) flushParts()
      return Promise.resolve()
    },
    close: () => {
      flushParts()
      const url = URL.createObjectURL(new Blob(parts, { type }))
      const link = Object.assign(document.createElement('a'), { href: url, download: name })
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
      return Promise.resolve()
    },
    abort: () => {
      parts = []
      open = ''
      return Promise.resolve()
    },
  }
}
