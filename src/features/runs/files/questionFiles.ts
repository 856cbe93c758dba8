import type { MessageFile } from '#domain/answer/answerParts.ts'
import { type FileEntry, toFileEntries } from '../inputs/inputFiles.ts'
import type { Turn } from '../turn.ts'

/** A file that was sent with a question, with the name that the platform knows. */
export interface QuestionFile extends FileEntry {
  filename: string | null
}

type TurnParts = Pick<Turn, 'question' | 'answer'>

/** The files of a question. */
export function listQuestionFiles({ question, answer }: TurnParts): QuestionFile[] {
  return toFileEntries(question.body.files).map((entry) => ({
    ...entry,
    filename: entry.name ?? answer.files.find((file) => isSameFile(file, entry))?.filename ?? null,
  }))
}

/** The files of an answer. Chatflows repeat the files of the question at the end of their stream. */
export function listAnswerFiles({ question, answer }: TurnParts): MessageFile[] {
  const sent = toFileEntries(question.body.files)
  return answer.files.filter((file) => file.belongs_to !== 'user' && !sent.some((entry) => isSameFile(file, entry)))
}

function isSameFile({ id, upload_file_id, url }: MessageFile, entry: FileEntry): boolean {
  if (entry.upload_file_id !== undefined) return entry.upload_file_id === (upload_file_id ?? id)
  return entry.url !== undefined && entry.url === url
}
