import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react'
import { retryImport } from './retryImport.ts'

/** A component that comes with a chunk of its own. */
export type PreloadableComponent<Props extends object> = FunctionComponent<Props> & {
  /** Has the chunk on its way before the part is shown. Settles when it is here. */
  preload: () => Promise<unknown>
}

/**
 * A part of the app that is loaded when it is first shown, or preloaded before. Until it is here the `Suspense` around it
 * says what stands in its place. One that is here already is drawn at once: React would let a lazy one wait 300 ms more
 * wherever something else has just stood in for it.
 */
export function lazyWithPreload<Props extends object>(
  importComponent: () => Promise<ComponentType<Props>>,
): PreloadableComponent<Props> {
  let loadedComponent: ComponentType<Props> | null = null
  const preload = async () => (loadedComponent = await retryImport(importComponent))
  const LazyComponent = lazy<ComponentType<Props>>(async () => ({ default: await preload() }))
  function Component(props: Props) {
    // What stands here stays the same component: another one would begin anew, without what was typed into it.
    const [Shown] = useState(() => loadedComponent ?? LazyComponent)
    return createElement(Shown as ComponentType<Props>, props)
  }
  return Object.assign(Component, { preload })
}
