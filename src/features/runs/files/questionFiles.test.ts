import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { sampleTurn } from '../turn.testing.ts'
import { listAnswerFiles, listQuestionFiles } from './QuestionFiles.tsx'

const sent = { type: 'image', transfer_method: 'local_file', upload_file_id: 'u1' }
const linked = { type: 'image', transfer_method: 'remote_url', url: 'https://a.example/b.png' }

test('a file that was sent with the question is the question’s, with the name that the platform tells', () => {
  const answer = foldAnswer(emptyAnswer, {
    event: 'message_end',
    message_id: 'm',
    files: [
      { related_id: 'r1', upload_file_id: 'u1', filename: 'dot.png', type: 'image', url: 'http://p/files/u1?sign=x' },
      { related_id: 'r2', remote_url: 'https://a.example/b.png', filename: 'b.png', type: 'image' },
      { related_id: 'r3', upload_file_id: 'u9', filename: 'chart.png', type: 'image', url: 'http://p/files/u9?sign=x' },
    ],
  })
  const turn = sampleTurn({ answer, question: { ...sampleTurn().question, body: { files: [sent, linked] } } })
  expect(listQuestionFiles(turn).map(({ filename }) => filename)).toEqual(['dot.png', 'b.png'])
  expect(listAnswerFiles(turn).map(({ filename }) => filename)).toEqual(['chart.png'])
})

test('a file that the platform says is the user’s is not one of the answer', () => {
  const answer = foldAnswer(emptyAnswer, {
    event: 'message_file',
    id: 'f',
    type: 'image',
    belongs_to: 'user',
    url: 'u',
  })
  expect(answer.files).toHaveLength(1)
  expect(listAnswerFiles(sampleTurn({ answer }))).toEqual([])
})
