/** Words of a recorded stream that is played again. */
export const playbackMessages = {
  title: 'Play the stream back',
  times: '{speed}×',
  atOnce: 'At once',
  pause: 'Pause',
  goOn: 'Go on',
  stop: 'Stop playing',
  at: 'Frame {frame} of {frames}, {seconds} s of {end} s.',
}
