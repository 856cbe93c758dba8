import { describe } from 'vitest'
import { SAMPLE_RECORDINGS } from '#support/recordings/recordings.ts'
import { testStreams } from './recordedStreams.testing.ts'

describe('recorded streams', testStreams('our own samples', SAMPLE_RECORDINGS, 55))
