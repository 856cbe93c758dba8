import { SHARED_RECORDINGS } from '#support/recordings/recordings.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { testReplies } from './recordedReplies.testing.ts'

describeWith(requirements.sharedData('real-servers/dify-1.16.1-more.jsonl'))(
  'recorded replies of three releases',
  testReplies('1.9, 1.16 and 1.16.1', SHARED_RECORDINGS, { replies: 621, refusals: 174 }),
)
