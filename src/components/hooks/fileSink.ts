/** The destination of an export, written in parts. */
export interface FileSink {
  write: (text: string) => Promise<void>
  /** Closes the file, and downloads it if the browser could not write it as a stream. */
  close: () => Promise<void>
  /** Discards the partial file. */
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
 * Streams to a file on disk if the browser can (the picker asks where); otherwise collects parts of 1 MB, which the
 * browser may put on disk, and downloads them at the end. @throws DOMException `AbortError` if the person cancels the
 * picker.
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
