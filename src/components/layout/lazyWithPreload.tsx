import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react'
import { retryImport } from './retryImport.ts'

/** A component in a chunk of its own. */
export type PreloadableComponent<Props extends object> = FunctionComponent<Props> & {
  /** Starts loading the chunk. Resolves when it is loaded. */
  preload: () => Promise<unknown>
}

/**
 * A lazy component that can be preloaded. Until it is loaded, the surrounding `Suspense` shows its fallback. A
 * preloaded one renders immediately: React delays a lazy component by up to 300 ms after another fallback.
 */
export function lazyWithPreload<Props extends object>(
  importComponent: () => Promise<ComponentType<Props>>,
): PreloadableComponent<Props> {
  let loadedComponent: ComponentType<Props> | null = null
  const preload = async () => (loadedComponent = await retryImport(importComponent))
  const LazyComponent = lazy<ComponentType<Props>>(async () => ({ default: await preload() }))
  function Component(props: Props) {
    // Keep the same component type: another type would remount and lose the input.
    const [Shown] = useState(() => loadedComponent ?? LazyComponent)
    return createElement(Shown as ComponentType<Props>, props)
  }
  return Object.assign(Component, { preload })
}
