import { describe } from 'vitest'
import { SAMPLE_RECORDINGS } from '#support/recordings/recordings.ts'
import { testReplies } from './recordedReplies.testing.ts'

describe('recorded replies', testReplies('our own samples', SAMPLE_RECORDINGS, { replies: 82, refusals: 22 }))
