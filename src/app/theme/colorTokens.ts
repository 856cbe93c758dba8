/**
 * The colors of Loupe, light and dark. Components use the variables (`var(--surface)`); no other file defines a
 * color.
 */
export const COLOR_TOKENS = {
  canvas: ['#faf9f7', '#101416'],
  surface: ['#ffffff', '#16191b'],
  sunken: ['#f5f4f1', '#0b0e10'],
  hover: ['#f1efec', '#1d2225'],
  text: ['#1d2224', '#e7eaea'],
  'text-2': ['#4d5354', '#b0b7b9'],
  'text-3': ['#666a6a', '#8d9598'],
  line: ['#e6e3de', '#272d30'],
  'line-2': ['#cbc7c0', '#3a4246'],
  control: ['#928d85', '#667075'],
  primary: ['#006869', '#57babb'],
  'on-primary': ['#ffffff', '#0b1011'],
  danger: ['#a52d2e', '#e26660'],
  'on-danger': ['#ffffff', '#0b1011'],
  'primary-text': ['#006869', '#82d1d1'],
  'primary-tint': ['#e9fafa', '#10292b'],
  'primary-line': ['#afe5e5', '#1f4a4c'],
  mark: ['#ffe68a', '#5a4a0c'],
  'mark-text': ['#1d2224', '#fff4c7'],
  'mark-edge': ['#b88600', '#d9b440'],
  'series-1': ['#006869', '#82d1d1'],
  'series-2': ['#32a0a1', '#0e8385'],
  'series-3': ['#95928b', '#95928b'],
  shadow: ['0 12px 32px rgb(29 34 36 / 18%)', '0 12px 32px rgb(0 0 0 / 55%)'],
  'shadow-small': ['0 1px 2px rgb(29 34 36 / 8%)', '0 1px 2px rgb(0 0 0 / 40%)'],
} as const satisfies Record<string, readonly [string, string]>

/** `fg` on `bg` in a badge, `fg` alone on any surface, `solid` for bars and edges. */
export const STATUS_COLORS = {
  queued: { fg: ['#576068', '#b7bfc5'], bg: ['#eef0f2', '#25282b'], solid: ['#77828a', '#89949c'] },
  running: { fg: ['#205eab', '#8fc1ff'], bg: ['#e3f2ff', '#18283d'], solid: ['#3d80d7', '#5693e5'] },
  succeeded: { fg: ['#25703c', '#96cea0'], bg: ['#e4f6e7', '#172e1c'], solid: ['#439458', '#5da56e'] },
  failed: { fg: ['#a52d2e', '#ff9e96'], bg: ['#ffe9e6', '#3b1e1c'], solid: ['#d24c49', '#e26660'] },
  stopped: { fg: ['#6c5b51', '#cabab2'], bg: ['#f4efec', '#2c2623'], solid: ['#907b71', '#a18e83'] },
  interrupted: { fg: ['#934615', '#f0ac89'], bg: ['#ffebe0', '#3a2013'], solid: ['#bd6533', '#cd7a4d'] },
  unknown: { fg: ['#6f479e', '#ccadf7'], bg: ['#f4ecff', '#2c223a'], solid: ['#9366c9', '#a47bd7'] },
  paused: { fg: ['#725600', '#d3bb82'], bg: ['#f7f0de', '#30260f'], solid: ['#ae8e38', '#ac8e43'] },
} as const
export type StatusColorName = keyof typeof STATUS_COLORS
