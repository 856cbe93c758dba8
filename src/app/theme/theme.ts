import {
  ActionIcon,
  Button,
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'
import { STATUS_COLORS, COLOR_TOKENS } from './colorTokens.ts'

const glassColors: MantineColorsTuple = [
  '#e9fafa',
  '#d2f3f3',
  '#afe5e5',
  '#82d1d1',
  '#57babb',
  '#32a0a1',
  '#0e8385',
  '#006869',
  '#015152',
  '#053b3b',
]
const grayColors: MantineColorsTuple = [
  '#fbfaf8',
  '#f5f4f1',
  '#edebe7',
  '#e1dfdb',
  '#d2cfca',
  '#95928b',
  '#75736d',
  '#5e5c57',
  '#46433f',
  '#24231f',
]
const darkColors: MantineColorsTuple = [
  '#e4e6e8',
  '#b7bbbe',
  '#8f9598',
  '#5e6468',
  '#393f43',
  '#292f32',
  '#1d2225',
  '#16191b',
  '#101416',
  '#0b0e10',
]

const SANS_FONTS =
  '"Geist Variable", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", system-ui, -apple-system, "Segoe UI", sans-serif'
const MONO_FONTS = '"Geist Mono Variable", "Noto Sans Mono CJK SC", ui-monospace, "SF Mono", Menlo, Consolas, monospace'

export const theme = createTheme({
  colors: { glass: glassColors, gray: grayColors, dark: darkColors },
  primaryColor: 'glass',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.3,
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  fontFamily: SANS_FONTS,
  fontFamilyMonospace: MONO_FONTS,
  fontSizes: toRemSizes({ xs: 11.5, sm: 12.5, md: 13.5, lg: 15, xl: 18 }),
  spacing: toRemSizes({ xs: 6, sm: 8, md: 12, lg: 16, xl: 24 }),
  radius: toRemSizes({ xs: 3, sm: 5, md: 7, lg: 10, xl: 14 }),
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.84375rem' } },
  },
  // With two primary shades autoContrast chooses the text color of a filled button from the light theme in both
  // themes.
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input)
    const isPrimary = !input.color || input.color === 'glass'
    return input.variant === 'filled' && isPrimary ? { ...resolved, color: 'var(--on-primary)' } : resolved
  },
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      styles: { root: { height: 30, fontWeight: 500, flexShrink: 0 } },
      vars: () => ({ root: { '--button-fz': '0.78125rem' } }),
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 28 } }),
    // By name: an import would add these components to the first load.
    Input: { defaultProps: { size: 'xs' } },
    InputWrapper: { defaultProps: { size: 'xs' } },
    Paper: { defaultProps: { radius: 'lg', withBorder: true } },
    SegmentedControl: { defaultProps: { transitionDuration: 120 } },
    Tabs: { defaultProps: { keepMounted: false } },
    Modal: { defaultProps: { radius: 'lg', centered: true, transitionProps: { duration: 120 } } },
    Drawer: { defaultProps: { position: 'right', transitionProps: { duration: 180 } } },
  },
})

/** Emits the tokens of the visual language as CSS variables, and points Mantine's own at them. */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: toCssVariables(0),
  dark: toCssVariables(1),
})

function toCssVariables(scheme: 0 | 1): Record<string, string> {
  const own = Object.entries(COLOR_TOKENS).map(([name, values]) => [`--${name}`, values[scheme]])
  const states = Object.entries(STATUS_COLORS).flatMap(([name, { fg, bg, solid }]) => [
    [`--${name}-fg`, fg[scheme]],
    [`--${name}-bg`, bg[scheme]],
    [`--${name}-solid`, solid[scheme]],
  ])
  return Object.fromEntries([...own, ...states, ...Object.entries(MANTINE_VARIABLES)]) as Record<string, string>
}

const MANTINE_VARIABLES = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-border': 'var(--line-2)',
  '--mantine-color-anchor': 'var(--primary-text)',
  '--mantine-color-error': 'var(--failed-fg)',
  '--mantine-color-gray-light': 'var(--hover)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
  '--mantine-color-gray-light-color': 'var(--text)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
}

function toRemSizes<Sizes extends Record<string, number>>(sizes: Sizes): { [Name in keyof Sizes]: string } {
  return Object.fromEntries(Object.entries(sizes).map(([name, px]) => [name, `${px / 16}rem`])) as {
    [Name in keyof Sizes]: string
  }
}
