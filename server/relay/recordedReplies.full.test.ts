import { join } from 'node:path'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { testReplies } from './recordedReplies.testing.ts'

describeWith(requirements.sharedData('real-servers/dify-1.16.1-more.jsonl'))(
  'recorded replies of three releases',
  testReplies('1.9, 1.16 and 1.16.1', join(SHARED_DATA, 'real-servers'), { replies: 621, refusals: 174 }),
)
