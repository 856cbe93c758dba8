import { join } from 'node:path'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { testStreams } from './recordedStreams.testing.ts'

describeWith(requirements.sharedData('real-servers/dify-1.9.jsonl'))(
  'recorded streams of two releases',
  testStreams('1.9 and 1.16', join(SHARED_DATA, 'real-servers'), 47),
)
