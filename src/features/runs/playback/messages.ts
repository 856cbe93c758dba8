import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the playback of a recorded stream. */
export const playbackMessages = {
  title: 'Play back the stream',
  times: '{speed}×',
  atOnce: 'At once',
  pause: sharedTexts.pause,
  resume: sharedTexts.resume,
  stop: 'Stop playback',
  at: 'Frame {frame} of {frames}, {seconds} s of {end} s.',
}
