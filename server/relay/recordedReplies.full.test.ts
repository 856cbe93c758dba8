import { join } from 'node:path'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { testReplies } from './recordedReplies.testing.ts'

describeWith(requirements.sharedData('real-servers/dify-1.9.jsonl'))(
  'recorded replies of two releases',
  testReplies('1.9 and 1.16', join(SHARED_DATA, 'real-servers'), { replies: 238, refusals: 73 }),
)
