import { SHARED_RECORDINGS } from '#support/recordings/recordings.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { testStreams } from './recordedStreams.testing.ts'

describeWith(requirements.sharedData('real-servers/dify-1.16.1-more.jsonl'))(
  'recorded streams of three releases',
  testStreams('1.9, 1.16 and 1.16.1', SHARED_RECORDINGS, 114),
)
