import { expect, test } from 'vitest'
import { correctBaseUrl } from './baseUrl.ts'

test.each([
  ['127.0.0.1:5001/v1', 'http://127.0.0.1:5001/v1'],
  ['localhost:5001', 'http://localhost:5001'],
  ['dify:5001/v1/', 'http://dify:5001/v1'],
  ['[::1]:5001/v1', 'http://[::1]:5001/v1'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
  ['//api.example.com/v1', 'https://api.example.com/v1'],
  ['http://127.0.0.1:5001/v1/chat-messages', 'http://127.0.0.1:5001/v1'],
  ['https://host/proxy/v1/datasets/some-id/documents?page=1', 'https://host/proxy/v1'],
  ['https://host/console/parameters?user=x', 'https://host/console'],
  ['127.0.0.1:5001/v1/info', 'http://127.0.0.1:5001/v1'],
])('%s is read as %s', (given, corrected) => expect(correctBaseUrl(given)).toBe(corrected))

test.each(['http://host/v1', 'http://host/v1/', 'https://host', 'http://host/v10/api', 'ftp://host/v1', '', 'http://'])(
  'nothing is corrected in %s',
  (given) => expect(correctBaseUrl(given)).toBeNull(),
)
