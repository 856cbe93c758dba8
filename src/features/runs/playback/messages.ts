/** Texts of the playback of a recorded stream. */
export const playbackMessages = {
  title: 'Play back the stream',
  times: '{speed}×',
  atOnce: 'At once',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop playback',
  at: 'Frame {frame} of {frames}, {seconds} s of {end} s.',
}
