import { join } from 'node:path'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { testStreams } from './recordedStreams.testing.ts'

describeWith(requirements.sharedData('real-servers/dify-1.16.1-more.jsonl'))(
  'recorded streams of three releases',
  testStreams('1.9, 1.16 and 1.16.1', join(SHARED_DATA, 'real-servers'), 114),
)
